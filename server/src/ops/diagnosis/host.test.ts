import { chmod, chown } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../test/folder.ts'
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
