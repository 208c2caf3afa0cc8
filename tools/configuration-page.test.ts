import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { configurationPage } from './configuration-page.ts'

test('the configuration page matches the schema', async () => {
  const page = await readFile(new URL('../docs/operate/configuration.md', import.meta.url), 'utf8')
  // If this fails, run `npx tsx tools/docs.ts`.
  expect(page).toBe(configurationPage())
})
