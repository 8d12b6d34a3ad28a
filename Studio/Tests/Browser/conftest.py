"""A studio over a copy of the demo store, and a headless Chromium.

The environment contains the paths of the programs, PROFILE_STUDIO and PROFILE_CLI, and the URI of a temporary PostgreSQL
server, USERPROFILE_TEST_POSTGRES. A weather service on loopback sends the documents of Fixtures.
"""
import http.server
import os
import shutil
import subprocess
import threading
import uuid
from pathlib import Path

import pytest
from selenium import webdriver

ROOT = Path(__file__).resolve().parents[3]


class Weather(http.server.BaseHTTPRequestHandler):
    """A weather service that knows one city, in the form of weather.tsukumijima.net."""

    document = (ROOT / "Fixtures/weather/tsukumijima-270000.json").read_bytes()
    error = (ROOT / "Fixtures/weather/error-unknown-city.json").read_bytes()
    # A request waits until it is set.
    answers = threading.Event()

    def do_GET(self):
        self.answers.wait(60)
        body = self.document if "270000" in self.path else self.error
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


@pytest.fixture(scope="session")
def weather():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Weather)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()


def create_demo_store(path):
    subprocess.run([ROOT / "Studio/demo-store", os.environ["PROFILE_CLI"], path], check=True)
    return path


@pytest.fixture(scope="session")
def demo(tmp_path_factory):
    return create_demo_store(tmp_path_factory.mktemp("demo") / "store")


class Studio:
    """A running studio."""

    def __init__(self, store, home, weather, *options):
        self.store = store
        environment = {**os.environ, "PROFILE_FORECAST_URL": weather, "HOME": str(home)}
        self.process = subprocess.Popen(
            [os.environ["PROFILE_STUDIO"], "--store", self.store, *options], stdout=subprocess.PIPE, text=True,
            env=environment)
        self.address = self.process.stdout.readline().strip()
        self.origin = self.address.split("/?")[0]

    def cli(self, *arguments):
        """Changes the store in another process."""
        subprocess.run(
            [os.environ["PROFILE_CLI"], *arguments, "--store", self.store], check=True, stdout=subprocess.DEVNULL)

    def stop(self):
        self.process.terminate()
        assert self.process.wait(20) == 0


def copy_to_postgres(path):
    """Copies an LMDB store to a new schema of the PostgreSQL server. Returns the location of the copy."""
    uri = os.environ["USERPROFILE_TEST_POSTGRES"]
    location = f"{uri}{'&' if '?' in uri else '?'}schema=studio_{uuid.uuid4().hex}"
    subprocess.run([os.environ["PROFILE_CLI"], "store", "copy", f"lmdb:{path}", location], check=True)
    return location


@pytest.fixture
def studio(demo, weather, tmp_path, request):
    options = getattr(request, "param", ["--write"])
    if options == "postgres":
        studio = Studio(copy_to_postgres(demo), tmp_path, weather, "--write")
    else:
        shutil.copytree(demo, tmp_path / "store")
        studio = Studio(f"lmdb:{tmp_path}/store", tmp_path, weather, *options)
    yield studio
    studio.stop()


def browser(script=True):
    options = webdriver.ChromeOptions()
    for argument in ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--window-size=1100,900"]:
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    if not script:
        options.add_experimental_option("prefs", {"profile.managed_default_content_settings.javascript": 2})
    options.binary_location = shutil.which("chromium")
    return webdriver.Chrome(options=options, service=webdriver.ChromeService(shutil.which("chromedriver")))


@pytest.fixture(scope="session")
def browsers():
    """Returns the browser with or without script. All tests use the same two, because a start takes seconds."""
    started = {}

    def started_browser(script):
        if script not in started:
            started[script] = browser(script)
        return started[script]

    yield started_browser
    for driver in started.values():
        driver.quit()


def checked(driver, studio):
    """Yields a browser without traces of earlier tests, and fails if its console has an error afterwards."""
    driver.execute_cdp_cmd("Network.clearBrowserCookies", {})
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    driver.set_window_size(1100, 900)
    driver.get_log("browser")
    driver.get(studio.address)
    yield driver
    # A rejected form has the status 422, which the console lists as an error of the network.
    errors = [
        entry["message"] for entry in driver.get_log("browser")
        if entry["level"] == "SEVERE" and "status of 422" not in entry["message"] and "status of 404" not in entry["message"]
    ]
    for window in driver.window_handles[1:]:
        driver.switch_to.window(window)
        driver.close()
    driver.switch_to.window(driver.window_handles[0])
    # The studio ends only after its pages are closed.
    driver.get("about:blank")
    assert not errors


@pytest.fixture
def page(studio, browsers):
    yield from checked(browsers(script=True), studio)


@pytest.fixture
def plain_page(studio, browsers):
    """A browser without script."""
    yield from checked(browsers(script=False), studio)
