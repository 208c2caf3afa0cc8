import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { putChallengeV2, readAdminChallengeV2 } from '@pennant/contract/admin-challenges.ts'
import { exportChallengeArchive, importChallengeArchive } from '@pennant/contract/challenge-archive.ts'
import { permissions } from '@pennant/contract/permissions.ts'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../../test/folder.ts'
import { startContest, type Contest, type Member } from '../../../../test/harness.ts'
import { zipOf } from '../../../../test/zips.ts'
import { openZip } from './read-zip.ts'

test('an archive has the secret only for those who may write it, and an import without one keeps it', async () => {
  await using contest = await startContest()
  const admin = await contest.admin()
  const judge = await contest.admin(permissions.challsRead)
  const { token } = admin
  const params = { id: 'fed' }
  const scoring = {
    kind: 'dynamic',
    source: { transport: 'webhook', secret: 'only for writers' },
  } as const
  const data = { name: 'Fed', category: 'koth', scoring }
  await contest.call(putChallengeV2, { token, params, body: { data } })
  expect(await documentsFor(contest, admin)).toContain('only for writers')
  const documents = await documentsFor(contest, judge)
  expect(documents).toContain('kind: dynamic')
  expect(documents).not.toContain('only for writers')
  const changed = documents.replace('name: Fed', 'name: Renamed')
  const form = new FormData()
  const archive = zipOf([{ name: 'koth/fed/challenge.yaml', content: changed }])
  form.append('archive', new File([new Uint8Array(archive)], 'challenges.zip'))
  const imported = await contest.call(importChallengeArchive, { token, query: {}, form })
  expect(imported).toMatchObject({
    kind: 'goodChallengeArchiveImport',
    data: { challenges: [{ fields: ['name'] }] },
  })
  const read = await contest.call(readAdminChallengeV2, { token, params })
  expect(read.data).toMatchObject({ name: 'Renamed', scoring })
})

async function documentsFor({ call }: Contest, { token }: Member): Promise<string> {
  const result = await call(exportChallengeArchive, { token, query: {} })
  await using folder = await temporaryFolder()
  const path = join(folder.path, 'archive.zip')
  await writeFile(path, Buffer.from(await (result.data as unknown as Blob).arrayBuffer()))
  const opened = await openZip(path, { maxFileBytes: 1024 ** 2 })
  if ('problems' in opened) throw new Error('the archive is damaged')
  await using tree = opened.tree
  const texts = [...tree.sizes.keys()].map(async (name) => await text(await tree.open(name)))
  return (await Promise.all(texts)).join('\n')
}
