import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { configurationPage } from './configuration-page.ts'

// Writes the pages that follow from the sources; with --check, tells whether they are as they should be.

const PAGES = [{ path: 'docs/operate/configuration.md', render: configurationPage }]

const isCheck = process.argv.includes('--check')
for (const { path, render } of PAGES) {
  const file = fileURLToPath(new URL(`../${path}`, import.meta.url))
  const wanted = render()
  const found = await readFile(file, 'utf8').catch(() => '')
  if (found === wanted) continue
  if (!isCheck) await writeFile(file, wanted)
  else {
    process.stderr.write(`${path} is not up to date: run \`npx tsx tools/docs.ts\`\n`)
    process.exitCode = 1
  }
}
