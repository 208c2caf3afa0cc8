// The programs of the live examples, which the packed program carries as texts.

/** Asks sums; runs once per connection. */
export const numberStation = `# The number station asks five sums, 30 s each, then prints the flag. \`sh number-station.sh\` runs once per
# connection.
right=0
echo 'This is the number station. Five right answers open the log book.'
while [ "$right" -lt 5 ]; do
  a=$((RANDOM % 900 + 100))
  b=$((RANDOM % 900 + 100))
  printf '%d + %d = ' "$a" "$b"
  read -r -t 30 answer || exit 0
  if [ "$answer" != "$((a + b))" ]; then
    echo 'The line goes dead.'
    exit 0
  fi
  right=$((right + 1))
done
echo "Log book: $FLAG"
`

/** A CGI script. */
export const guestBook = `# A CGI script for httpd. The guest book greets visitors with the name from the URL, without escaping it.
name=$(busybox httpd -d "\${QUERY_STRING#name=}")
printf 'Content-Type: text/html; charset=utf-8\\r\\n\\r\\n'
cat <<PAGE
<!doctype html>
<title>Guest book</title>
<h1>Welcome aboard, \${name:-stranger}!</h1>
<form><label>Your name <input name="name"></label> <button>Sign</button></form>
PAGE
`

/** What the admin bot runs: docs/author/admin-bot.md */
export const guestBookBot = `import { Challenge } from '@pennant/bot'

/** The harbour master visits a page of the team's guest book; the flag is the session cookie. */
export const challenge = new Challenge({
  timeoutMilliseconds: 15_000,
  requireInstancerInstancesRunning: true,
  inputs: { url: { pattern: '^http://' } },
  hooksConfig: { showConsoleLogs: true, showNavigation: true, autoDismissDialogs: true },

  async handler({ browserContext, input, job, output }) {
    const [book] = job.instancerInstances
    const address = \`http://\${book?.host}:\${book?.port}/\`
    if (!input.url.startsWith(address)) {
      output.warn('challenge', \`The harbour master reads only \${address}.\`)
      return
    }
    await browserContext.addCookies([{ name: 'flag', value: job.flag, url: address }])
    const page = await browserContext.newPage()
    await page.goto(input.url)
    // Time for the page's scripts to run.
    await page.waitForTimeout(3000)
    output.info('challenge', 'The harbour master has read it.')
  },
})
`
