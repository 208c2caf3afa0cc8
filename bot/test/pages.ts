import { startHttpService, type HttpService } from '../../server/test/http-service.ts'

const html = (body: string) => `<!doctype html><title>page</title>${body}`

/** Pages as teams submit them. `host` is replaced by their own address. */
const PAGES: Readonly<Record<string, (origin: string) => string>> = {
  '/plain': () => html('<h1>hello</h1>'),
  '/talk': () =>
    html('<script>console.log("a line"); console.error("trouble"); setTimeout(() => nothing(), 0)</script>'),
  '/alerts': () =>
    html('<script>alert("one"); document.title = confirm("two") + " " + prompt("three")</script>'),
  '/popups': (origin) =>
    html(`<script>for (let i = 0; i < 30; i++) window.open("${origin}/plain?" + i, "w" + i)</script>`),
  '/loop': () => html('<script>for (;;);</script>'),
  '/hog': () =>
    html(`<script>const kept = []
      setInterval(() => kept.push(new Uint8Array(40_000_000).fill(1)), 20)</script>`),
  '/compilers': () => html('<script>document.title = typeof WebAssembly</script>'),
  '/frames': (origin) =>
    html(`<iframe src="file:///etc/passwd"></iframe><script>
      const list = ["file:///etc/passwd", "chrome://version/"]
      for (const url of list) { window.open(url); try { location.href = url } catch {} }
      new Image().src = "${origin}/asked?by=image"</script>`),
}

/** A team's web server, on an address of this machine. */
export function startPages(): Promise<HttpService> {
  return startHttpService(({ url, headers }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://pages')
    const to = searchParams.get('to')
    if (pathname === '/redirect' && to !== null) {
      response.writeHead(302, { location: to }).end()
    } else if (pathname === '/download') {
      response.writeHead(200, {
        'content-type': 'application/octet-stream',
        'content-disposition': 'attachment; filename=x.bin',
      })
      response.end(Buffer.alloc(5_000_000))
    } else {
      const page = PAGES[pathname]?.(`http://${headers.host}`) ?? html('nothing')
      response.writeHead(200, { 'content-type': 'text/html' }).end(page)
    }
  })
}
