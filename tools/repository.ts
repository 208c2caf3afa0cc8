import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The root manifest: the only place that names the repository. */
interface Manifest {
  /** `{ "type": "git", "url": "git+https://github.com/<owner>/<name>.git" }`; absent until the project is published. */
  readonly repository?: { readonly url: string }
}

export interface Repository {
  /** `https://github.com/<owner>/<name>`. */
  readonly url: string
  /** `ghcr.io/<owner>`, where the release workflow pushes images and the chart. */
  readonly registry: string
}

export const START = '<!-- get it: written by tools/docs.ts from `repository` in package.json -->'
export const END = '<!-- /get it -->'

export function readManifest(): Manifest {
  return JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')) as Manifest
}

export function repositoryOf({ repository }: Manifest): Repository | null {
  if (!repository) return null
  const [, owner, name] =
    /^git\+https:\/\/github\.com\/([\w.-]+)\/([\w.-]+?)(?:\.git)?$/.exec(repository.url) ?? []
  if (!owner || !name)
    throw new Error('package.json: repository.url must be git+https://github.com/<owner>/<name>.git')
  return { url: `https://github.com/${owner}/${name}`, registry: `ghcr.io/${owner.toLowerCase()}` }
}

/** The page with how to get Pennant between its marks: from the registries, or from a downloaded release. */
export function withInstallation(page: string, manifest: Manifest): string {
  const [before, rest] = page.split(START)
  const after = rest?.split(END)[1]
  if (before === undefined || after === undefined) throw new Error(`the page has no ${START} … ${END}`)
  return `${before}${START}\n\n${installation(manifest)}\n\n${END}${after}`
}

function installation(manifest: Manifest): string {
  const found = repositoryOf(manifest)
  if (!found)
    return [
      'From a downloaded release, after `sha256sum --check --ignore-missing SHA256SUMS`:',
      '',
      '```sh',
      'npx ./pennant-<version>.tgz serve',
      '```',
    ].join('\n')
  const { url, registry } = found
  return [
    '```sh',
    'npx pennant serve',
    '```',
    '',
    `The image is \`${registry}/pennant:<version>\`, the chart \`oci://${registry}/charts/pennant\`, the source ${url}.`,
    `Files of [releases](${url}/releases) are signed:`,
    '',
    '```sh',
    'cosign verify-blob SHA256SUMS --bundle SHA256SUMS.sigstore.json \\',
    `  --certificate-identity ${url}/.github/workflows/release.yaml@refs/tags/v<version> \\`,
    '  --certificate-oidc-issuer https://token.actions.githubusercontent.com',
    '```',
  ].join('\n')
}
