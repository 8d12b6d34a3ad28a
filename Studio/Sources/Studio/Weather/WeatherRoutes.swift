import Hummingbird
import UserProfileKit

/// The page of the weather. Loading it needs no permission to change the store: see ``WeatherMonitors``.
struct WeatherRoutes: Sendable {
    let monitors: WeatherMonitors
    let templates: Templates
    let frame: Frame
    let clock: Clock

    func add(to router: Router<StudioContext>) {
        router.get("/weather") { request, _ in try await show(Form(query: request)) }
        router.get("/weather/events") { request, _ in
            let monitor = await monitors.monitor(of: try CityCode(Form(query: request)["city"] ?? ""))
            return EventStream.response {
                _ = monitor.state
                return true
            }
        }
        router.post("/weather/refresh") { request, _ in
            let city = try CityCode(Form(query: request)["city"] ?? "")
            await monitors.refresh(city)
            return Response.seeOther(WeatherPage.address(of: city))
        }
        router.post("/weather/cancel") { request, _ in
            let city = try CityCode(Form(query: request)["city"] ?? "")
            await monitors.cancel(city)
            return Response.seeOther(WeatherPage.address(of: city))
        }
    }

    private func show(_ form: Form) async throws -> Response {
        guard let text = form["city"] else {
            let page = WeatherPage(field: "", error: nil, saved: try await monitors.savedCities(), frame: frame)
            return .html(templates.render(page))
        }
        let city: CityCode
        do throws(ValidationError) {
            city = try CityCode(codeOrName: text)
        } catch {
            let page = WeatherPage(field: text, error: error, saved: try await monitors.savedCities(), frame: frame)
            return .html(templates.render(page), status: .unprocessableContent)
        }
        // The address always has the code, whatever was typed.
        guard city.text == text else { return .seeOther(WeatherPage.address(of: city)) }
        let state = await monitors.state(of: city)
        let saved: Weather? =
            switch state {
            case .loading, .idle: try await monitors.savedWeather(of: city)
            case .loaded, .stale, .failed: nil
            }
        let page = WeatherPage(city, state, savedWeather: saved, now: clock.now(), frame: frame)
        return .html(templates.render(page))
    }
}
