import { Readable } from 'node:stream'
import { ALIAS_FILES, ALIAS_RETURN_PAGE, aliasPages } from '@pennant/contract/aliases.ts'
import { redirect, type FileRequest, type FileRoute } from './files.ts'

const UPLOADS = '/uploads/*'
const SITE = '/*'

/** Addresses of pages and files at rCTF. They lead to what `files` has there; to nothing if it has nothing. */
export function aliasFiles(files: readonly FileRoute[], onAlias: (alias: string) => void): FileRoute[] {
  const respondAt = (path: string) => files.find((route) => route.path === path)?.respond ?? (() => null)
  const [uploaded, page] = [respondAt(UPLOADS), respondAt(SITE)]

  async function redirectToFile(request: FileRequest) {
    const key = new URLSearchParams(request.url.split('?', 2)[1]).get('key')
    if (key === null) return null
    const url = `/uploads/${key.split('/').map(encodeURIComponent).join('/')}`
    // Without a range, which the file may not have.
    const found = await uploaded({ ...request, headers: { host: request.headers.host }, url })
    if (!found) return null
    if (found.body instanceof Readable) found.body.destroy()
    onAlias(`${ALIAS_FILES}?key=`)
    return redirect(url)
  }

  return [
    ...Object.entries(aliasPages).map(([path, to]) => ({
      path,
      respond: () => (onAlias(path), redirect(to)),
    })),
    { path: ALIAS_RETURN_PAGE, respond: (request) => (onAlias(ALIAS_RETURN_PAGE), page(request)) },
    { path: ALIAS_FILES, respond: redirectToFile },
  ]
}
