import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { temporaryFolder } from '../../test/folder.ts'
import { findFreePort, runProgram, startProgram } from '../../test/program.ts'

// Each command starts an embedded database.
vi.setConfig({ testTimeout: 300_000 })

const create = ['admin', 'create', '--name', 'Boss', '--email', 'boss@pennant.invalid', '--json']

test('backs up a running server and restores it into another data folder, where earlier tokens are valid', async () => {
  await using folder = await temporaryFolder()
  const port = await findFreePort()
  const passphraseFile = join(folder.path, 'passphrase')
  await writeFile(passphraseFile, 'correct horse battery\nnot read\n')
  const shared = { HOST: '127.0.0.1', PORT: String(port), PENNANT_BACKUP_PASSPHRASE_FILE: passphraseFile }
  const env = {
    ...shared,
    PENNANT_DATA_DIR: join(folder.path, 'one'),
    PENNANT_METRICS_TOKEN: 'hidden-metrics-token',
  }
  const { authToken } = JSON.parse((await runProgram(create, env)).output)
  const archive = join(folder.path, 'backup.tar.enc')
  {
    await using server = startProgram(['serve'], env)
    await server.line(/ready at/)
    const made = await runProgram(['backup', '--output', archive, '--json'], env)
    expect(made).toMatchObject({ status: 0, complaints: '' })
    expect(JSON.parse(made.output)).toMatchObject({
      path: archive,
      uploads: 0,
      hasSecrets: false,
      rows: { teams: 1 },
    })
    const busy = await runProgram(['restore', archive, '--into', 'postgres'], env)
    expect(busy).toMatchObject({ status: 1, complaints: expect.stringContaining('Stop it first') })
    server.child.kill('SIGTERM')
    await server.ended
  }
  const named = await runProgram(['backup'], env)
  expect(named.output).toMatch(/Wrote .*one\/backups\/pennant-[\dTZ-]+\.tar\.enc \(\d+ bytes, encrypted\)/)

  const other = { ...shared, PENNANT_DATA_DIR: join(folder.path, 'two') }
  const checked = await runProgram(['restore', archive, '--check'], other)
  expect(checked).toMatchObject({ status: 0, output: expect.stringContaining('The archive is intact.') })
  expect(await runProgram(['restore', archive], other)).toMatchObject({ status: 0, complaints: '' })
  const again = await runProgram(['restore', archive], other)
  expect(again).toMatchObject({ status: 1, complaints: expect.stringContaining('not empty') })
  await using server = startProgram(['serve'], other)
  await server.line(/ready at/)
  const response = await fetch(`http://127.0.0.1:${port}/api/v2/users/me`, {
    headers: { authorization: `Bearer ${authToken}` },
  })
  expect(response.status).toBe(200)
})

test('leaves secrets of the configuration out unless they are asked for', async () => {
  await using folder = await temporaryFolder()
  const env = { PENNANT_DATA_DIR: join(folder.path, 'data'), PENNANT_METRICS_TOKEN: 'hidden-metrics-token' }
  await runProgram(create, env)
  const bare = join(folder.path, 'bare.tar')
  const whole = join(folder.path, 'whole.tar')
  expect(await runProgram(['backup', '--output', bare], env)).toMatchObject({ status: 0 })
  expect(await runProgram(['backup', '--output', whole, '--with-secrets'], env)).toMatchObject({ status: 0 })
  expect((await readFile(bare)).includes('hidden-metrics-token')).toBe(false)
  expect((await readFile(whole)).includes('hidden-metrics-token')).toBe(true)
  const secret = join(folder.path, 'passphrase')
  await writeFile(secret, 'correct horse battery')
  const known: [string[], object][] = [
    [[], { PENNANT_BACKUP_PASSPHRASE_FILE: secret }],
    [['--identity', secret], {}],
  ]
  for (const [options, secrets] of known) {
    const check = ['restore', bare, '--check', ...options]
    const refused = await runProgram(check, { ...env, ...secrets })
    expect(refused).toMatchObject({ status: 1, complaints: expect.stringContaining('--accept-unencrypted') })
    const accepted = await runProgram([...check, '--accept-unencrypted'], { ...env, ...secrets })
    expect(accepted).toMatchObject({ status: 0, output: expect.stringContaining('is intact') })
  }
  const existing = await runProgram(['backup', '--output', bare], env)
  expect(existing).toMatchObject({ status: 1, complaints: expect.stringContaining('already exists') })
})
