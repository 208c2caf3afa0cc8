import { generateKeyPairSync } from 'node:crypto'
import { chmod, chown, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openTestDatabase } from '../../../test/database.ts'
import { temporaryFolder } from '../../../test/folder.ts'
import { recordBackup } from '../../db/backups.ts'
import type { Subject } from './check.ts'
import { hostChecks } from './host.ts'

const NOBODY = 65_534

test.runIf(process.getuid?.() === 0)(
  'a backup folder that only root can write is an error for root too',
  async () => {
    await using data = await temporaryFolder()
    await using backups = await temporaryFolder()
    const check = hostChecks.find(({ name }) => name === 'backup-folder')
    const config = { dataDir: data.path, backup: { folder: join(backups.path, 'new') } }
    const run = () => check?.run({ config } as Subject, AbortSignal.timeout(10_000))
    // The server runs as root.
    expect(await run()).toMatchObject({ severity: 'ok' })
    await chown(data.path, NOBODY, NOBODY)
    expect(await run()).toMatchObject({
      severity: 'error',
      finding: expect.stringContaining(`the user of the server (${NOBODY}) has no permission`),
    })
    await chmod(backups.path, 0o777)
    expect(await run()).toMatchObject({ severity: 'ok' })
  },
)

test('a signing key that cannot be read is an error, and an archive without a signature a warning', async () => {
  await using database = await openTestDatabase()
  await using folder = await temporaryFolder()
  const { db } = database
  const [signingKeyFile, path] = [join(folder.path, 'key.pem'), join(folder.path, 'last.tar')]
  const check = hostChecks.find(({ name }) => name === 'backup-signature')
  const config = { dataDir: folder.path, backup: { signingKeyFile } }
  const run = () => check?.run({ config, db } as unknown as Subject, AbortSignal.timeout(10_000))
  expect(await run()).toMatchObject({
    severity: 'error',
    finding: `Backups cannot be signed with ${signingKeyFile}: the file or folder does not exist.`,
  })
  const { privateKey } = generateKeyPairSync('ed25519')
  await writeFile(signingKeyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 })
  expect(await run()).toMatchObject({ severity: 'ok' })
  await recordBackup(db, { snapshotAt: '2030-05-02T12:00:00Z', bytes: 0, path })
  await writeFile(path, '')
  expect(await run()).toMatchObject({ severity: 'warning', finding: expect.stringContaining(path) })
  await writeFile(`${path}.sig`, '')
  expect(await run()).toMatchObject({ severity: 'ok' })
  if (process.getuid?.() !== 0) return
  await chown(folder.path, NOBODY, NOBODY)
  expect(await run()).toMatchObject({
    severity: 'error',
    finding: expect.stringContaining(`the user of the server (${NOBODY}) has no permission`),
  })
})
