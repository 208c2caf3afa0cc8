import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { findFreePort } from '../lib/free-port.ts'
import { createEmptyDatabase, openTestDatabase } from '../../test/database.ts'
import { temporaryFolder } from '../../test/folder.ts'
import { runProgram, startProgram } from '../../test/program.ts'

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
    PENNANT_CTF_NAME: 'Frost CTF',
    PENNANT_START_TIME: '2030-05-02T11:00:00Z',
    PENNANT_DIVISIONS: '{"school":"Schools"}',
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
  const { data } = (await (
    await fetch(`http://127.0.0.1:${port}/api/v2/integrations/client/config`)
  ).json()) as {
    data: unknown
  }
  const startTime = Date.UTC(2030, 4, 2, 11)
  expect(data).toMatchObject({ ctfName: 'Frost CTF', startTime, divisions: { school: 'Schools' } })
  const set = { ...other, PENNANT_DATA_DIR: join(folder.path, 'three'), PENNANT_CTF_NAME: 'Other' }
  const { complaints } = await runProgram(['restore', archive], set)
  expect(complaints).toMatch(
    /^The configuration has other values than the archive, and they count: ctfName\. /,
  )
})

test('a restore that was killed after its commit is completed by the same restore or by the next start', async () => {
  await using folder = await temporaryFolder()
  await using source = await openTestDatabase()
  const first = { PENNANT_DATA_DIR: join(folder.path, 'one'), PENNANT_CTF_NAME: 'Frost CTF' }
  const { authToken } = JSON.parse((await runProgram(create, { ...first, DATABASE_URL: source.url })).output)
  const archive = join(folder.path, 'backup.tar')
  await runProgram(['backup', '--output', archive], { ...first, DATABASE_URL: source.url })

  for (const next of ['restore', 'serve']) {
    await using target = await createEmptyDatabase()
    const dataDir = join(folder.path, next)
    const port = String(await findFreePort())
    const env = { PENNANT_DATA_DIR: dataDir, DATABASE_URL: target.url, HOST: '127.0.0.1', PORT: port }
    // A folder in the place of the last file stops the restore where a kill would.
    await mkdir(join(dataDir, 'token-key.partial'), { recursive: true })
    await writeFile(join(dataDir, 'token-key'), `${Buffer.alloc(32, 5).toString('base64')}\n`)
    const stopped = await runProgram(['restore', archive], env)
    expect(stopped).toMatchObject({
      status: 1,
      complaints: expect.stringContaining('Run the same restore again.'),
    })
    await rm(join(dataDir, 'token-key.partial'), { recursive: true })
    if (next === 'restore')
      expect(await runProgram(['restore', archive], env)).toMatchObject({
        status: 0,
        output: expect.stringContaining('is now complete'),
      })
    await using server = startProgram(['serve'], env)
    await server.line(/ready at/)
    const headers = { authorization: `Bearer ${authToken}` }
    expect((await fetch(`http://127.0.0.1:${port}/api/v2/users/me`, { headers })).status).toBe(200)
    expect(await readFile(join(dataDir, 'restored.yaml'), 'utf8')).toContain('\nctfName: Frost CTF\n')
    expect((await readdir(dataDir)).filter((name) => name.includes('pending'))).toEqual([])
  }
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

test('signs with a key, and restores only what that key signed', async () => {
  await using folder = await temporaryFolder()
  const [signingKey, archive] = [join(folder.path, 'signing-key.pem'), join(folder.path, 'signed.tar')]
  const env = { PENNANT_DATA_DIR: join(folder.path, 'data') }
  const signing = { ...env, PENNANT_BACKUP_SIGNING_KEY_FILE: signingKey }
  await runProgram(create, env)
  const missing = await runProgram(['backup', '--output', archive], signing)
  expect(missing).toMatchObject({
    status: 1,
    complaints: expect.stringContaining(`the signing key ${signingKey}`),
  })
  const made = await runProgram(['signing-key', signingKey], env)
  expect(made).toMatchObject({ status: 0, output: expect.stringMatching(/^ssh-ed25519 \S+\n?$/) })
  expect((await stat(signingKey)).mode & 0o777).toBe(0o600)
  expect(await runProgram(['signing-key', signingKey], env)).toMatchObject({ status: 1 })
  expect(await runProgram(['backup', '--output', archive], signing)).toMatchObject({
    status: 0,
    output: expect.stringContaining('not encrypted, signed'),
  })
  const key = made.output.trim()
  const known: [string[], Record<string, string>][] = [
    [[], signing],
    [[], { ...env, PENNANT_BACKUP_SIGNED_BY: JSON.stringify([key]) }],
    [['--signed-by', key], env],
  ]
  const check = ['restore', archive, '--check']
  for (const [options, set] of known)
    expect(await runProgram([...check, ...options], set)).toMatchObject({
      status: 0,
      output: expect.stringContaining(`It is signed by ${key}.`),
    })
  await rm(`${archive}.sig`)
  const unsigned = await runProgram(check, signing)
  expect(unsigned).toMatchObject({ status: 1, complaints: expect.stringContaining('--accept-unsigned') })
  const accepted = await runProgram([...check, '--accept-unsigned'], signing)
  expect(accepted).toMatchObject({ status: 0, output: expect.not.stringContaining('signed') })
  const wrong = await runProgram([...check, '--signed-by', 'ssh-rsa AAAA'], env)
  expect(wrong).toMatchObject({ status: 2, complaints: expect.stringContaining('Must be a public key') })
})
