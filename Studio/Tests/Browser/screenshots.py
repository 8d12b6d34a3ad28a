"""Takes the pictures of the guide: python screenshots.py DIRECTORY"""
import http.server
import os
import sys
import tempfile
import threading
from pathlib import Path

from conftest import Studio, Weather, browser, create_demo_store

pictures = Path(sys.argv[1]).resolve()
Weather.answers.set()
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Weather)
threading.Thread(target=server.serve_forever, daemon=True).start()
with tempfile.TemporaryDirectory() as directory:
    # The header shows the path.
    os.chdir(directory)
    store = create_demo_store(Path("demo-store"))
    studio = Studio(f"lmdb:{store}", Path.cwd(), f"http://127.0.0.1:{server.server_port}")
    page = browser()
    page.get(studio.address)
    for name, path, height in [
        ("studio-profiles", "/profiles?where=birthday+%3C+1960-01-01+and+mail+exists&sort=birthday+desc", 800),
        ("studio-weather", "/weather?city=270000", 900),
        ("studio-store", "/store?where=birthday+%3C+1960-01-01", 1250),
    ]:
        page.set_window_size(1100, height)
        page.get(studio.origin + path)
        while "Loading:" in page.page_source:
            page.get(studio.origin + path)
        page.save_screenshot(f"{pictures}/{name}.png")
    page.quit()
    studio.stop()
