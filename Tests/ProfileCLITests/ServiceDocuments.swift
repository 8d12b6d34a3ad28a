/// Documents in the formats of the weather services.
enum ServiceDocuments {
    /// livedoor weather v1: a zone without a colon, temperatures that are null, places, links. The temperatures range
    /// from −1 to 22 degrees, so a chart of 24 columns has one column per degree. The days are not sorted.
    static let livedoor = """
        {"pinpointLocations": [{"link": "http://weather.livedoor.com/area/forecast/1310100", "name": "千代田区"}],
         "link": "http://weather.livedoor.com/area/forecast/130010",
         "forecasts": [
          {"dateLabel": "明日", "telop": "曇時々晴", "date": "2016-11-29",
           "temperature": {"min": {"celsius": "-1", "fahrenheit": "30.2"},
                           "max": {"celsius": "10", "fahrenheit": "50"}},
           "image": {"width": 50, "url": "http://weather.livedoor.com/img/icon/9.gif", "title": "曇時々晴", "height": 31}},
          {"dateLabel": "今日", "telop": "晴れ", "date": "2016-11-28",
           "temperature": {"min": null, "max": null},
           "image": {"width": 50, "url": "http://weather.livedoor.com/img/icon/1.gif", "title": "晴れ", "height": 31}},
          {"dateLabel": "明後日", "telop": "雨", "date": "2016-11-30",
           "temperature": {"min": null, "max": {"celsius": "22", "fahrenheit": "71.6"}},
           "image": {"width": 50, "url": "http://weather.livedoor.com/img/icon/15.gif", "title": "雨", "height": 31}}],
         "location": {"city": "東京", "area": "関東", "prefecture": "東京都"},
         "publicTime": "2016-11-28T17:00:00+0900",
         "copyright": {"provider": [{"link": "http://tenki.jp/", "name": "日本気象協会"}], "title": "(C) LINE"},
         "title": "東京都 東京 の天気",
         "description": {"text": " 高気圧に覆われています。\\n\\n【関東甲信地方】\\n 晴れる所が多いでしょう。",
                         "publicTime": "2016-11-28T16:36:00+0900"}}
        """

    /// The output for ``livedoor``.
    static let livedoorWeather = WeatherDocument(
        city: "130010", title: "東京都 東京 の天気", publishedAt: "2016-11-28T08:00:00Z",
        description: " 高気圧に覆われています。\n\n【関東甲信地方】\n 晴れる所が多いでしょう。",
        forecasts: [
            .init(
                date: "2016-11-28", dateLabel: "今日", telop: "晴れ",
                imageURL: "http://weather.livedoor.com/img/icon/1.gif"),
            .init(
                date: "2016-11-29", dateLabel: "明日", telop: "曇時々晴", lowest: -1, highest: 10,
                imageURL: "http://weather.livedoor.com/img/icon/9.gif"),
            .init(
                date: "2016-11-30", dateLabel: "明後日", telop: "雨", highest: 22,
                imageURL: "http://weather.livedoor.com/img/icon/15.gif"),
        ])

    /// weather.tsukumijima.net: a zone with a colon, degrees that are null, details and chances of rain, a picture
    /// without an address.
    static let tsukumijima = """
        {"publicTime": "2024-01-15T11:00:00+09:00", "publicTimeFormatted": "2024/01/15 11:00:00",
         "publishingOffice": "大阪管区気象台", "title": "大阪府 大阪 の天気",
         "link": "https://www.jma.go.jp/bosai/forecast/#area_type=offices&area_code=270000",
         "description": {"publicTime": "2024-01-15T10:36:00+09:00", "publicTimeFormatted": "2024/01/15 10:36:00",
                         "headlineText": "", "bodyText": "近畿地方は晴れています。", "text": "近畿地方は晴れています。"},
         "forecasts": [
          {"date": "2024-01-15", "dateLabel": "今日", "telop": "晴れ",
           "detail": {"weather": "晴れ", "wind": "西の風", "wave": null},
           "temperature": {"min": {"celsius": null, "fahrenheit": null},
                           "max": {"celsius": "11", "fahrenheit": "51.8"}},
           "chanceOfRain": {"T00_06": "--%", "T06_12": "--%", "T12_18": "0%", "T18_24": "10%"},
           "image": {"title": "晴れ", "url": "https://www.jma.go.jp/bosai/forecast/img/100.svg",
                     "width": 80, "height": 60}},
          {"date": "2024-01-16", "dateLabel": "明日", "telop": "曇り",
           "detail": {"weather": null, "wind": null, "wave": null},
           "temperature": {"min": {"celsius": "2", "fahrenheit": "35.6"},
                           "max": {"celsius": "7.5", "fahrenheit": "45.5"}},
           "chanceOfRain": {"T00_06": "20%", "T06_12": "30%", "T12_18": "30%", "T18_24": "20%"},
           "image": {"title": null, "url": null, "width": 80, "height": 60}}],
         "location": {"area": "近畿", "prefecture": "大阪府", "district": "大阪府", "city": "大阪"},
         "copyright": {"title": "(C) 天気予報 API（livedoor 天気互換）", "provider": []}}
        """

    /// The output for ``tsukumijima``.
    static let tsukumijimaWeather = WeatherDocument(
        city: "270000", title: "大阪府 大阪 の天気", publishedAt: "2024-01-15T02:00:00Z",
        description: "近畿地方は晴れています。",
        forecasts: [
            .init(
                date: "2024-01-15", dateLabel: "今日", telop: "晴れ", highest: 11,
                imageURL: "https://www.jma.go.jp/bosai/forecast/img/100.svg"),
            .init(date: "2024-01-16", dateLabel: "明日", telop: "曇り", lowest: 2, highest: 7.5),
        ])
}
