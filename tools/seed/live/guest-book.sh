# A CGI script for httpd. The guest book greets visitors with the name from the URL, without escaping it.
name=$(busybox httpd -d "${QUERY_STRING#name=}")
printf 'Content-Type: text/html; charset=utf-8\r\n\r\n'
cat <<PAGE
<!doctype html>
<title>Guest book</title>
<h1>Welcome aboard, ${name:-stranger}!</h1>
<form><label>Your name <input name="name"></label> <button>Sign</button></form>
PAGE
