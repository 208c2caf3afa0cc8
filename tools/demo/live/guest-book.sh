# The guest book greets whoever comes by the name in the address, and trusts the name. A CGI script of httpd.
name=$(busybox httpd -d "${QUERY_STRING#name=}")
printf 'Content-Type: text/html; charset=utf-8\r\n\r\n'
cat <<PAGE
<!doctype html>
<title>Guest book</title>
<h1>Welcome aboard, ${name:-stranger}!</h1>
<form><label>Your name <input name="name"></label> <button>Sign</button></form>
PAGE
