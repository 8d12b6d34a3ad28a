"""Takes the pictures of the guide: python screenshots.py DIRECTORY"""
import http.server
import os
import sys
import tempfile
import threading
from pathlib import Path

from conftest import Studio, Weather, browser, create_demo_store

# The width and the height of a screen; a picture is lower if its page is.
WIDTH, HEIGHT = 1100, 900
PICTURES = [
    ("studio-profiles", "/profiles?where=birthday+%3C+1960-01-01+and+mail+exists&sort=birthday+desc"),
    ("studio-weather", "/weather?city=270000"),
    ("studio-store", "/store?where=birthday+%3C+1960-01-01&sort=birthday"),
    ("studio-record", "/record?collection=users&id=ada-000"),
]


def emulate(page, height, scheme):
    page.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": WIDTH, "height": height, "deviceScaleFactor": 1, "mobile": False})
    page.execute_cdp_cmd(
        "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})


pictures = Path(sys.argv[1]).resolve()
Weather.answers.set()
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Weather)
threading.Thread(target=server.serve_forever, daemon=True).start()
with tempfile.TemporaryDirectory() as directory:
    # The header shows the path.
    os.chdir(directory)
    store = create_demo_store(Path("demo-store"))
    studio = Studio(f"lmdb:{store}", Path.cwd(), f"http://127.0.0.1:{server.server_port}", "--write")
    page = browser()
    page.execute_cdp_cmd("Emulation.setScrollbarsHidden", {"hidden": True})
    page.get(studio.address)
    for name, path in PICTURES:
        # DocC shows a picture "~dark" to readers who prefer a dark page.
        for suffix, scheme in [("", "light"), ("~dark", "dark")]:
            emulate(page, HEIGHT, scheme)
            page.get(studio.origin + path)
            while "Loading:" in page.page_source:
                page.get(studio.origin + path)
            emulate(page, min(HEIGHT, page.execute_script("return Math.ceil(document.body.getBoundingClientRect().height)")), scheme)
            page.save_screenshot(f"{pictures}/{name}{suffix}.png")
    page.quit()
    studio.stop()
