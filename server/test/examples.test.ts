import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { temporaryFolder } from './folder.ts'
import { runProgram } from './program.ts'

const folder = fileURLToPath(new URL('../../deploy/examples/', import.meta.url))

test.each(readdirSync(folder))('`pennant config` accepts the example %s', async (file) => {
  await using elsewhere = await temporaryFolder()
  const env = { PENNANT_CONFIG: join(folder, file) }
  const checked = await runProgram(['config', 'check'], env, elsewhere.path)
  expect(checked).toMatchObject({ status: 0, complaints: '' })
  const printed = await runProgram(['config', 'print'], env, elsewhere.path)
  expect(printed.status).toBe(0)
  expect(printed.output).toContain('origin: https://ctf.example')
  expect(printed.output).not.toContain('change-me')
})
