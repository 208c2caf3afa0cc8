import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { configurationPage } from './configuration-page.ts'

test('the page for operators says what the schema says', async () => {
  const page = await readFile(new URL('../docs/operate/configuration.md', import.meta.url), 'utf8')
  // Written anew by `npx tsx tools/docs.ts`.
  expect(page).toBe(configurationPage())
})
