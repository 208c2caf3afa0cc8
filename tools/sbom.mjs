import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { npmCommand } from './install.mjs'

/** A list of a few hundred packages takes about 1 MB. */
const MAX_OUTPUT = 64 * 1024 * 1024

/**
 * Writes the software bill of materials in CycloneDX format: every package of the lock file that is not only
 * for development (`npm sbom --omit=dev` would also omit packages that the root needs for development and a
 * workspace at run time). Works offline. The server does not need the file, so the build succeeds on machines
 * without npm.
 */
export function writeSbom(root, { output }) {
  const { file, args, shell } = npmCommand()
  const wanted = ['sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--loglevel=error']
  const done = spawnSync(file, [...args, ...wanted], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: MAX_OUTPUT,
    shell,
  })
  if (done.status !== 0) {
    console.error(`no SBOM was written: ${done.error?.message ?? done.stderr.trim()}`)
    return
  }
  const sbom = JSON.parse(done.stdout)
  sbom.components = sbom.components.filter(isShipped)
  const refs = new Set(sbom.components.map((component) => component['bom-ref']))
  refs.add(sbom.metadata.component['bom-ref'])
  sbom.dependencies = sbom.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((each) => refs.has(each)) }))
  // They would make two builds of one commit differ.
  delete sbom.serialNumber
  delete sbom.metadata.timestamp
  // npm uses the folder's name.
  sbom.metadata.component.name = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).name
  sbom.metadata.component.type = 'application'
  writeFileSync(output, `${JSON.stringify(sbom, null, 1)}\n`)
}

function isShipped({ properties = [] }) {
  return !properties.some(({ name, value }) => name === 'cdx:npm:package:development' && value === 'true')
}
