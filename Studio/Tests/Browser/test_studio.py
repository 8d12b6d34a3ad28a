"""The pages of the studio as a person uses them."""
import os
import socket
import subprocess

import pytest
from conftest import Weather
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

# The pages of a store on a server are the same as of a local store.
on_each_store = pytest.mark.parametrize("studio", [["--write"], "postgres"], indirect=True, ids=["lmdb", "postgres"])


def find(page, selector):
    return page.find_element(By.CSS_SELECTOR, selector)


def text(page, selector="main"):
    return find(page, selector).text


def wait(page, condition):
    """Waits until a condition holds. Elements may be replaced while it is evaluated."""
    def holds(_):
        try:
            return condition()
        except Exception as error:
            replaced = ("stale", "no such element", "does not belong to the document")
            if any(text in str(error) for text in replaced):
                return False
            raise
    return WebDriverWait(page, 20, 0.05).until(holds)


def click(page, selector):
    """Clicks an element, again if the page replaces the element before the click."""
    def clicks():
        find(page, selector).click()
        return True
    wait(page, clicks)


def ids(page):
    # One request to the browser instead of one for each cell.
    return page.execute_script(
        "return [...document.querySelectorAll('#profiles tbody td.id')].map((cell) => cell.textContent)")


def mark(page):
    """Marks the loaded document. A reload removes the mark."""
    page.execute_script("window.mark = true")


def is_marked(page):
    return page.execute_script("return window.mark === true")


def query(page, condition, order=""):
    for name, value in [("where", condition), ("sort", order)]:
        field = find(page, f"#{name}")
        field.clear()
        field.send_keys(value)
    field.send_keys(Keys.ENTER)


def test_token_leaves_the_address(studio, page):
    assert page.current_url == f"{studio.origin}/profiles"
    assert page.execute_script("return document.cookie") == ""
    page.get(studio.address)
    assert page.current_url == f"{studio.origin}/profiles"


@on_each_store
def test_condition_order_and_history(studio, page):
    mark(page)
    query(page, "birthday < 1950-01-01 and mail exists", "birthday desc")

    def is_sorted():
        rows = page.find_elements(By.CSS_SELECTOR, "tbody tr")
        births = [row.find_elements(By.TAG_NAME, "td")[2].text for row in rows]
        return births and births == sorted(births, reverse=True) and births[0] < "1950"

    wait(page, is_sorted)
    assert "sort=birthday+desc" in page.current_url
    filtered = ids(page)
    query(page, "birthday < 1950-13-01")
    wait(page, lambda: "the month must be 01 to 12" in text(page, "#where-error"))
    lines = text(page, "#where-error").split("\n")
    assert lines[2].index("^") == lines[1].index("1950")
    page.back()
    wait(page, lambda: ids(page) == filtered)
    assert is_marked(page)
    page.refresh()
    assert ids(page) == filtered and find(page, "#where").get_attribute("value").startswith("birthday <")


def test_fields_follow_the_order_of_columns(page):
    """A column sorts without a reload. The field shows its order, so that the next condition keeps the order."""
    mark(page)
    query(page, "mail exists")
    wait(page, lambda: "where=mail" in page.current_url)
    click(page, "th:nth-child(3) a")
    wait(page, lambda: find(page, "#sort").get_attribute("value") == "birthday")
    find(page, "#where").send_keys(" and birthday exists", Keys.ENTER)
    wait(page, lambda: "sort=birthday" in page.current_url and "and+birthday" in page.current_url)
    assert is_marked(page)
    click(page, "#pages a[href='/profiles']")
    wait(page, lambda: page.current_url.endswith("/profiles") and find(page, "#where").get_attribute("value") == "")


@on_each_store
def test_pages(page):
    seen = ids(page)
    while True:
        links = page.find_elements(By.CSS_SELECTOR, "a[rel=next]")
        if not links:
            break
        before = ids(page)
        links[0].click()
        wait(page, lambda: ids(page) != before)
        seen += ids(page)
    assert len(seen) == len(set(seen)) == 500


@on_each_store
def test_save_of_another_process_appears(studio, page):
    mark(page)
    first = ids(page)[0]
    find(page, "#where").send_keys("typed text")
    studio.cli("set-mail", "changed@example.com", "--user", first)
    wait(page, lambda: "changed@example.com" in text(page, "#profiles"))
    assert is_marked(page) and find(page, "#where").get_attribute("value") == "typed text"


@on_each_store
def test_keyboard_only(studio, page):
    """Creates, changes and deletes a profile with the Tab, Enter and Space keys."""
    def press(*keys):
        for key in keys:
            page.switch_to.active_element.send_keys(key)

    def focus(identifier):
        for _ in range(200):
            if page.switch_to.active_element.get_attribute("id") == identifier:
                return
            press(Keys.TAB)
        raise AssertionError(f"Tab does not reach {identifier}")

    focus("id")
    press("new-profile", Keys.TAB, "new@example", Keys.ENTER)
    wait(page, lambda: "is not a mail address" in text(page) or "was created" in text(page))
    if "is not a mail address" in text(page):
        focus("mail")
        press(Keys.END, ".com", Keys.ENTER)
    wait(page, lambda: "The profile was created." in text(page) and "done=" not in page.current_url)
    focus("birthday")
    press("2011-02-29", Keys.ENTER)
    wait(page, lambda: "28 days" in text(page, "#birthday-error"))
    assert page.switch_to.active_element.get_attribute("id") == "birthday"
    assert find(page, "#birthday").get_attribute("value") == "2011-02-29"
    press(Keys.END, *[Keys.BACKSPACE] * 2, "28", Keys.ENTER)
    wait(page, lambda: "The birthday was saved." in text(page) and "2011-02-28" in text(page, "#profile"))
    summary = find(page, "summary")
    for _ in range(50):
        if page.switch_to.active_element == summary:
            break
        press(Keys.TAB)
    press(Keys.SPACE, Keys.TAB, Keys.ENTER)
    wait(page, lambda: "The profile was deleted." in text(page))


def test_two_tabs(studio, page):
    """Of two tabs that edit the same field, the second shows the change of the first before it replaces it."""
    def save(address):
        field = find(page, "#mail")
        field.clear()
        field.send_keys(address, Keys.ENTER)

    click(page, "td.id a")
    wait(page, lambda: find(page, "#mail"))
    first = page.current_window_handle
    address = page.current_url
    page.switch_to.new_window("tab")
    page.get(address)
    save("second@example.com")
    wait(page, lambda: "The mail address was saved." in text(page))
    page.switch_to.window(first)
    save("first@example.com")
    wait(page, lambda: "was changed to second@example.com meanwhile" in text(page, "#mail-error"))
    assert find(page, "#mail").get_attribute("value") == "first@example.com"
    assert "second@example.com" in text(page, "#profile")
    find(page, "#mail").send_keys(Keys.ENTER)
    wait(page, lambda: "The mail address was saved." in text(page) and "first@example.com" in text(page, "#profile"))


@on_each_store
def test_without_script(studio, plain_page):
    page = plain_page
    query(page, "birthday >= 1990-01-01", "birthday")
    wait(page, lambda: "sort=birthday" in page.current_url and len(ids(page)) == 50)
    click(page, "a[rel=next]")
    wait(page, lambda: "after=" in page.current_url and ids(page))
    click(page, "td.id a")
    field = wait(page, lambda: find(page, "#mail"))
    field.clear()
    field.send_keys("plain@example.com", Keys.ENTER)
    wait(page, lambda: "The mail address was saved." in text(page) and "plain@example.com" in text(page, "#profile"))
    click(page, "nav a[href='/store']")
    click(page, "#check-button")
    wait(page, lambda: page.refresh() or "The store is sound." in text(page))


@pytest.mark.parametrize("studio", [[]], indirect=True)
def test_read_only(page):
    assert "read-only" in text(page, "header") and not page.find_elements(By.CSS_SELECTOR, "form[method=post]")


def test_narrow_window(studio, page):
    """Nothing is cut at the edge, and no word that fits on a line is broken."""
    page.set_window_size(360, 740)
    Weather.answers.set()
    condition = "birthday+%3C+1990-13-01+and+mail+exists"
    for path in [
        "/profiles", f"/profiles?where={condition}", "/birthdays", "/store", f"/store?where={condition}",
        "/records?collection=weather", "/records?collection=users", "/record?collection=weather&id=270000",
        "/weather?city=270000",
    ]:
        page.get(studio.origin + path)
        wait(page, lambda: "Loading" not in text(page))
        cut = page.execute_script("""
            const width = document.documentElement.clientWidth;
            return [...document.querySelectorAll("main *:not(pre)")]
                .filter((element) => !element.closest("svg") && element.clientWidth
                        && element.scrollWidth > element.clientWidth + 1
                    || element.tagName !== "TH" && element.getBoundingClientRect().right > width)
                .map((element) => element.outerHTML.slice(0, 200))""")
        assert not cut, path
        broken = page.execute_script("""
            const broken = [];
            const texts = document.createTreeWalker(document.getElementById("main"), NodeFilter.SHOW_TEXT);
            while (texts.nextNode()) {
                for (const word of texts.currentNode.data.matchAll(/[\\p{L}\\p{N}]+/gu)) {
                    const range = document.createRange();
                    range.setStart(texts.currentNode, word.index);
                    range.setEnd(texts.currentNode, word.index + word[0].length);
                    const lines = new Set([...range.getClientRects()].map((part) => Math.round(part.top)));
                    if (lines.size > 1 && /^[ -~]+$/.test(word[0]) && word[0].length < 20) broken.push(word[0]);
                }
            }
            return broken""")
        assert not broken, path


def test_port_in_use(studio, tmp_path):
    """A second studio on the same port ends with a sentence and the exit code of an unavailable service."""
    port = studio.origin.rsplit(":", 1)[1]
    second = subprocess.run(
        [os.environ["PROFILE_STUDIO"], "--store", studio.store, "--port", port], capture_output=True, text=True,
        timeout=60)
    assert second.returncode == 69 and second.stdout == ""
    assert second.stderr.startswith(f"profile-studio: could not listen on 127.0.0.1:{port}: another program uses the port")
    assert "--port" in second.stderr and second.stderr.count("\n") == 1
    missing = subprocess.run(
        [os.environ["PROFILE_STUDIO"], "--store", "nonsense"], capture_output=True, text=True, timeout=60)
    assert missing.returncode == 64 and missing.stderr.startswith("profile-studio: ")


def test_dark_mode(page):
    def lightness():
        colour = page.execute_script("return getComputedStyle(document.body).backgroundColor")
        return sum(int(part) for part in colour[colour.index("(") + 1:-1].split(",")[:3])

    assert lightness() > 600
    page.execute_cdp_cmd(
        "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": "dark"}]})
    assert lightness() < 200


def test_stored_markup_is_inert(studio, page):
    hostile = '<script>document.title="x"</script>"\u0301 onfocus=alert(1)'
    studio.cli("set-mail", "a@example.com", "--user", hostile)
    page.get(studio.origin + "/profiles?where=mail+%3D+a@example.com")
    assert ids(page) == [hostile]
    click(page, "td.id a")
    wait(page, lambda: hostile in text(page, "h1") and "Profile" in page.title)


@on_each_store
def test_weather(studio, page):
    click(page, "nav a[href='/weather']")
    wait(page, lambda: "Choose a city" in text(page))
    Weather.answers.clear()
    find(page, "#city").send_keys("大阪", Keys.ENTER)
    wait(page, lambda: page.current_url.endswith("/weather?city=270000") and "Loading" in text(page))
    click(page, "#cancel")
    wait(page, lambda: "Nothing was loaded." in text(page) or "Published" in text(page))
    click(page, "#refresh")
    wait(page, lambda: "Loading" in text(page))
    mark(page)
    Weather.answers.set()
    wait(page, lambda: "fetched less than a minute ago" in text(page))
    assert is_marked(page) and page.find_elements(By.CSS_SELECTOR, ".chart rect")
    find(page, "#city").clear()
    find(page, "#city").send_keys("130010", Keys.ENTER)
    alert = wait(page, lambda: text(page, "[role=alert]"))
    assert "city" in alert


@on_each_store
def test_store(studio, page):
    click(page, "nav a[href='/store']")
    wait(page, lambda: "500" in text(page, "table") and "birthday" in text(page, "table"))
    mark(page)
    query(page, "birthday < 1950-01-01", "birthday")
    wait(page, lambda: "with the index birthday, in index order" in text(page, "#explanation"))
    assert is_marked(page)
    click(page, "#check-button")
    wait(page, lambda: "The store is sound." in text(page))
    click(page, "a[href='/records?collection=weather']")
    wait(page, lambda: "Records of weather" in text(page, "h1") and "forecasts" in text(page, "#records"))


def test_records_and_keys(studio, page):
    """Filters by clicking a value, opens a record with the keyboard, copies its JSON, changes it, and returns."""
    mark(page)
    first = ids(page)[0]
    click(page, "#profiles td[data-label=Day] a.value")
    wait(page, lambda: "day = '" in find(page, "#where").get_attribute("value") and 0 < len(ids(page)) < 50)
    assert first in ids(page) and is_marked(page)
    page.get(studio.origin + "/records?collection=users")
    find(page, "body").send_keys("jj", Keys.NULL)
    page.switch_to.active_element.send_keys("k", Keys.ENTER)
    wait(page, lambda: text(page, "h1") == f"users/{first}")
    find(page, "body").send_keys("c")
    wait(page, lambda: text(page, "[data-copy]") == "Copied")
    field = find(page, "textarea")
    field.clear()
    field.send_keys('{"birthday": "1999-02-29"}')
    click(page, "main form button")
    wait(page, lambda: "28 days" in text(page, "#json-error"))
    find(page, "textarea").clear()
    find(page, "textarea").send_keys('{"birthday": "1999-02-28"}')
    click(page, "main form button")
    wait(page, lambda: "The record was saved." in text(page) and "1999-02-28" in text(page, "#record"))
    click(page, ".head a")
    wait(page, lambda: "Records of users" in text(page, "h1"))


@on_each_store
def test_page_loads_never_block_a_write(studio, tmp_path):
    """Other processes and the studio save while browsers wait for scans of many profiles and do not read the pages."""
    lines = ["id,mailAddress,birthday"] + [f"many-{number},many-{number}@example.com," for number in range(20_000)]
    (tmp_path / "many.csv").write_text("\n".join(lines) + "\n")
    studio.cli("import", "--format", "csv", str(tmp_path / "many.csv"))

    host = studio.origin.removeprefix("http://")

    def connect(method, path, cookie, body=""):
        connection = socket.create_connection(host.split(":"))
        connection.sendall((
            f"{method} {path} HTTP/1.1\r\nHost: {host}\r\nCookie: {cookie}\r\nSec-Fetch-Site: same-origin\r\n"
            "Content-Type: application/x-www-form-urlencoded\r\nConnection: close\r\n"
            f"Content-Length: {len(body)}\r\n\r\n{body}").encode())
        return connection

    def response(connection):
        with connection, connection.makefile("rb") as file:
            return file.read().decode()

    signed_in = response(connect("GET", studio.address.removeprefix(studio.origin), ""))
    cookie = signed_in.split("set-cookie: ")[-1].split("Set-Cookie: ")[-1].split(";")[0]
    paths = ["/profiles?where=mail+contains+nothing&sort=mail", "/profiles?sort=mail+desc", "/records?collection=users"]
    waiting = [connect("GET", path, cookie) for path in paths * 8]
    assert " 303 " in response(connect("POST", "/store/check", cookie))
    for number in range(20):
        studio.cli("set-mail", f"other-{number}@example.com", "--user", "other-process")
        form = f"mail=studio-{number}@example.com&saved=other-{number}%2540example.com"
        saved = response(connect("POST", "/profile/mail?id=other-process", cookie, form))
        assert " 303 " in saved
    assert all(" 200 " in response(connection) for connection in waiting)
    assert "studio-19@example.com" in response(connect("GET", "/profile?id=other-process", cookie))
