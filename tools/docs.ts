import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { readManifest, withInstallation } from './repository.ts'
import { documentSchema } from '../server/src/features/organisers/archives/document.ts'

// Generates the files that are derived from the sources; with --check, only reports whether they are up to date.

const PAGES = [
  {
    path: 'docs/author/challenge.schema.json',
    render: () => `${JSON.stringify(documentSchema(), null, 2)}\n`,
  },
  { path: 'README.md', render: (found: string) => withInstallation(found, readManifest()) },
]

const isCheck = process.argv.includes('--check')
for (const { path, render } of PAGES) {
  const file = fileURLToPath(new URL(`../${path}`, import.meta.url))
  const found = await readFile(file, 'utf8').catch(() => '')
  const wanted = render(found)
  if (found === wanted) continue
  if (!isCheck) await writeFile(file, wanted)
  else {
    process.stderr.write(`${path} is not up to date: run \`npx tsx tools/docs.ts\`\n`)
    process.exitCode = 1
  }
}
