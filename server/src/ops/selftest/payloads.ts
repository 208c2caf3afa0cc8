/** Markup that runs a script where text is interpreted as HTML. Short enough for names. */
export const xssPayloads: readonly string[] = [
  '<script>zqxss()</script>',
  '<img src=x onerror=zqxss()>',
  '<svg/onload=zqxss()>',
  '"><svg onload=zqxss()>',
  "'-zqxss()-'",
  '</script><script>zqxss()</script>',
  '[x](javascript:zqxss())',
  '<a href="javascript:zqxss()">x</a>',
  '{{constructor.constructor("zqxss()")()}}',
  '<iframe srcdoc="<script>zqxss()</script>">',
]

/** Paths that other services mistook for local pages and redirected to. */
export const redirectPaths: readonly string[] = String.raw`
  //evil.example //evil.example/ ///evil.example/%2f.. /\evil.example /%5cevil.example /%2f%2fevil.example
  /.evil.example /@evil.example /http://evil.example /%09/evil.example /%0d%0aLocation:%20//evil.example
  //evil.example/%2e%2e /login?next=//evil.example /verify?redirect=//evil.example /api//evil.example
  /api/v2//evil.example/ /uploads//evil.example /challs/.. /./ /a/../b`
  .trim()
  .split(/\s+/)

/** Path traversal: leads out of a folder of files unless the server prevents it. */
export const traversalPaths: readonly string[] = String.raw`
  /../../../../etc/passwd /%2e%2e/%2e%2e/%2e%2e/etc/passwd /uploads/../../../../etc/passwd
  /uploads/..%2f..%2f..%2f..%2fetc%2fpasswd /uploads/%2e%2e%2f%2e%2e%2fpennant.yaml /uploads/....//....//etc/passwd
  /uploads/..%5c..%5cpennant.yaml /assets/..%2f..%2f..%2fpackage.json /assets/../../package.json
  /uploads/%252e%252e%252fpackage.json /uploads/token-key /uploads/..%00/package.json /.env /.git/config
  /pennant.yaml /data/token-key /server/dist/main.js /package.json`
  .trim()
  .split(/\s+/)

/** Ids and query values with a special meaning for objects, numbers or a database. */
export const oddValues: readonly string[] = [
  ...`__proto__ constructor toString hasOwnProperty null undefined NaN Infinity 1e309 -0 -1 1.5 2147483648 0x10
  9007199254740993 99999999999999999999 $where ../.. % * (a+)+$`.split(/\s+/),
  "' or 1=1 --",
  '\0',
  'a\0b',
  '\u202e',
  'x'.repeat(300),
]
