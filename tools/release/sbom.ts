import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Part } from './part.ts'

/** The list of packages in the release, in CycloneDX format. */
export const sbom: Part = {
  name: 'sbom',
  async build({ built, out, version, time }) {
    const document = JSON.parse(readFileSync(join(built, 'server/dist/sbom.json'), 'utf8')) as {
      metadata: { timestamp?: string; component: { version: string } }
    }
    document.metadata.timestamp = time.toISOString()
    document.metadata.component.version = version
    const name = `pennant-${version}.cdx.json`
    writeFileSync(join(out, name), `${JSON.stringify(document, null, 1)}\n`)
    return [{ name }]
  },
}
