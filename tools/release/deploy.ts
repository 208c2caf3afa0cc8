import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { entriesOf, writeArchive, type ArchiveEntry } from './archive.ts'
import { referenceOf, replaceIn, type Part, type ReleaseContext } from './part.ts'

/** What an organiser copies to machines, and the pages that explain it: Compose files, systemd units, proxies, alerts. */
export const deploy: Part = {
  name: 'deploy',
  async build(context) {
    const { out, version, time } = context
    const name = `pennant-deploy-${version}.tgz`
    await writeArchive(join(out, name), await deployEntries(context), time)
    return [{ name }]
  },
}

/** Building images needs the sources, and the chart is a package of its own. */
const isShipped = (path: string) => !/Containerfile$|^server\/|^helm\//.test(path)
/** The pages work without their pictures. */
const isPage = (path: string) => !path.startsWith('pictures/')

async function deployEntries(context: ReleaseContext): Promise<ArchiveEntry[]> {
  const { root, version } = context
  const folder = `pennant-${version}`
  const changed = namedByDigest(context)
  const copied = await entriesOf(
    join(root, 'deploy'),
    `${folder}/deploy`,
    (path) => isShipped(path) && !changed.has(path),
  )
  return [
    ...copied,
    ...Array.from(changed, ([path, content]) => ({ path: `${folder}/deploy/${path}`, content })),
    ...(await entriesOf(join(root, 'docs'), `${folder}/docs`, isPage)),
    ...['README.md', 'CHANGELOG.md', 'LICENSE'].map((name) => ({
      path: `${folder}/${name}`,
      file: join(root, name),
    })),
  ]
}

/** Files that name an image, with the reference of this release instead of a build. */
function namedByDigest(context: ReleaseContext): Map<string, string> {
  const server = referenceOf(context, 'pennant')
  const bot = referenceOf(context, 'pennant-bot')
  const text = (path: string) => readFileSync(join(context.root, 'deploy', path), 'utf8')
  const compose = 'compose/compose.yaml'
  return new Map([
    [
      compose,
      replaceIn(text(compose), [
        [/^ *# Built from this checkout.*\n/m, ''],
        [imageOf('pennant', 'server'), `    image: ${server}\n`],
        [imageOf('pennant-bot', 'bot'), `    image: ${bot}\n`],
      ]),
    ],
    [
      'bot/compose.yaml',
      replaceIn(text('bot/compose.yaml'), [
        [/^ {2}build: .*\n {2}image: pennant-bot\n/m, `  image: ${bot}\n`],
      ]),
    ],
    [
      'systemd/pennant-container.service',
      replaceIn(text('systemd/pennant-container.service'), [[/localhost\/pennant$/m, server]]),
    ],
  ])
}

/** The lines with which a service is built from the checkout. */
function imageOf(name: string, folder: string): RegExp {
  return new RegExp(
    `^ *build: .*deploy/${folder}/Containerfile.*\\n *pull_policy: never\\n *image: localhost/${name}\\n`,
    'm',
  )
}
