import { uploadFilesV1, uploadFilesV2 } from '@pennant/contract/uploads.ts'
import type { Check, Report } from '../check.ts'
import type { Fixture } from '../fixture.ts'
import { traversalPaths } from '../payloads.ts'
import type { Reply } from '../wire.ts'

/**
 * Uploaded with the same bytes in each run: files are stored by content, and no route deletes them, so
 * repeated runs leave only one copy.
 */
const FILES: Readonly<Record<string, string>> = {
  'pennant-selftest.html': '<script>document.title="pennant-selftest"</script>',
  'pennant-selftest.svg': '<svg xmlns="http://www.w3.org/2000/svg" onload="document.title=1"/>',
  'pennant-selftest.js': 'document.title="pennant-selftest"',
  'pennant-selftest.xhtml':
    '<html xmlns="http://www.w3.org/1999/xhtml"><script>document.title=1</script></html>',
}

/** Names that would escape from the upload folder. */
const NAMES = ['../zq', '..', '/etc/zq', 'a/b', 'a\\b', 'C:zq', 'a\0b', '']

/** Text that occurs only in files of the machine or of the program. */
const INSIDE = /root:.*:0:0:|"workspaces"|tokenKey|BEGIN (?:RSA |EC )?PRIVATE KEY|\[core\]|node_modules/

export const fileChecks: readonly Check[] = [
  {
    name: 'uploads',
    category: 'S10',
    about: 'Uploaded files are downloads, not pages or scripts of the site, and stay in their folder.',
    advice: "Serve uploads with the server's own headers, or from another origin (docs/operate/security.md).",
    run: uploadFiles,
  },
  {
    name: 'traversal',
    category: 'S10',
    about: 'No path reaches files outside the served folders.',
    advice: 'Check the file rules of the proxy; otherwise report it as a vulnerability.',
    async run({ wire }, report) {
      for (const path of traversalPaths) {
        const { status, text } = await wire.send({ path })
        if (status !== 200 || !INSIDE.test(text)) continue
        report.finding({ path }, 'anonymous', 'the response is a file of the server')
      }
    },
  },
]

async function uploadFiles({ wire, admin }: Fixture, report: Report): Promise<void> {
  const { token } = admin.team
  const { path } = uploadFilesV2
  for (const name of NAMES) {
    const json = { files: [{ name, data: 'data:text/plain;base64,eg==' }] }
    const { kind } = await wire.send({ method: 'POST', path: uploadFilesV1.path, token, json })
    if (kind === 'badBody') continue
    report.finding(uploadFilesV1, 'admin', `the file name ${JSON.stringify(name)} was accepted (${kind})`)
  }
  for (const [name, content] of Object.entries(FILES)) {
    const form = new FormData()
    form.append('files', new Blob([content]), name)
    const stored = await wire.send({ method: 'POST', path, token, form })
    const [file] = (stored.kind === 'goodFilesUpload' ? stored.data : []) as { url: string }[]
    if (!file) return report.note(`uploads are not possible here (${stored.kind})`)
    const url = new URL(file.url, wire.url)
    if (url.host !== wire.url.host) return report.note(`files are served by ${url.host}, which is not tested`)
    const found = problemOf(await wire.send({ path: url.pathname + url.search }))
    if (found !== null) report.finding({ path: url.pathname }, 'anonymous', found)
  }
}

function problemOf({ status, headers }: Reply): string | null {
  if (status !== 200) return `the uploaded file was answered with ${status}`
  if (headers['x-content-type-options'] !== 'nosniff') return 'nosniff is missing'
  if (!headers['content-disposition']?.startsWith('attachment')) return 'the file opens in the browser'
  // Neither Content-Disposition nor a sandbox prevents <script src> from running it, and the site's own CSP
  // allows its origin.
  const isScript = /javascript|ecmascript/.test(headers['content-type'] ?? '')
  return isScript ? 'the file is served as a script of the site' : null
}
