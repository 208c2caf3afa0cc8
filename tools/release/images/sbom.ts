import type { BuiltImage } from './build.ts'

interface Contents {
  readonly name: string
  readonly version: string
  readonly time: Date
  readonly platforms: BuiltImage['platforms']
}

/** The packages of an image in CycloneDX format. Those that are bundled in the programs are in the list of the release. */
export function describeContents({ name, version, time, platforms }: Contents): object {
  const components = new Map<string, object>()
  for (const { architecture, packages, modules, node } of platforms) {
    for (const one of packages) {
      const purl = `pkg:deb/debian/${one.name}@${encodeURIComponent(one.version)}?arch=${architecture}&distro=debian-12`
      components.set(purl, { type: 'library', name: one.name, version: one.version, purl, 'bom-ref': purl })
    }
    for (const one of [node, ...modules]) {
      const purl = `pkg:npm/${one.name.replace('@', '%40')}@${one.version}`
      const hash = Buffer.from(one.integrity.replace(/^sha512-/, ''), 'base64').toString('hex')
      const hashes = [{ alg: 'SHA-512', content: hash }]
      components.set(purl, {
        type: 'library',
        name: one.name,
        version: one.version,
        purl,
        hashes,
        'bom-ref': purl,
      })
    }
  }
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { timestamp: time.toISOString(), component: { type: 'container', name, version } },
    components: [...components].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, component]) => component),
  }
}
