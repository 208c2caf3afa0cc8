import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { entriesOf, writeArchive } from './archive.ts'
import { digestOf, registryOf, replaceIn, type Part } from './part.ts'

/** The Helm chart, as `helm package` would write it but with equal bytes: docs/operate/helm.md */
export const chart: Part = {
  name: 'chart',
  async build(context) {
    const { root, out, version, time } = context
    const folder = join(root, 'deploy/helm/pennant')
    const text = (name: string) => readFileSync(join(folder, name), 'utf8')
    const registry = registryOf()
    const image = (name: 'pennant' | 'pennant-bot'): [RegExp, string] => [
      new RegExp(`(repository: )${name}\\n( *)tag: ''\\n *digest: ''`),
      `$1${registry}/${name}\n$2tag: ''\n$2digest: '${digestOf(context, name) ?? ''}'`,
    ]
    const changed = new Map([
      [
        'Chart.yaml',
        replaceIn(text('Chart.yaml'), [
          [/^version: .*/m, `version: ${version}`],
          [/^appVersion: .*/m, `appVersion: ${version}`],
        ]),
      ],
      ['values.yaml', replaceIn(text('values.yaml'), [image('pennant'), image('pennant-bot')])],
    ])
    const name = `pennant-chart-${version}.tgz`
    const entries = [
      ...(await entriesOf(folder, 'pennant', (path) => !changed.has(path))),
      ...Array.from(changed, ([path, content]) => ({ path: `pennant/${path}`, content })),
    ]
    await writeArchive(join(out, name), entries, time)
    return [{ name }]
  },
}
