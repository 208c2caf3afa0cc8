import { generateKeyPairSync } from 'node:crypto'
import { copyFile, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { generateIdentity, identityToRecipient } from 'age-encryption'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  archiveAt,
  backUp,
  dump,
  emptyDatabase,
  endAll,
  ends,
  folder,
  restoreTo,
  uploadKey,
  uploadsIn,
  withClient,
} from '../../../test/backups.ts'
import { putChallenge } from '../../../test/contest-data.ts'
import { challengeRow } from '../../../test/contest-rows.ts'
import { openTestDatabase } from '../../../test/database.ts'
import type { Database } from '../../db/database.ts'
import { publicKeyOf, signaturePath } from '../../lib/ssh-signature.ts'
import { checkArchive } from './read-archive.ts'
import { restoreArchive } from './restore.ts'
import { verifySignature } from './signature.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const passphrase = 'correct horse battery'

afterAll(endAll)

/** A row in each table of people, registration, pages and mailings. */
const people = [
  sql`insert into persons (id, name, email, team_id, is_captain) values ('p1', 'Ada \\', 'ada@x.test', 't1', true)`,
  sql`insert into person_sessions (id, person_id, methods, created_at, last_used_at, expires_at)
    values ('s1', 'p1', '{mail,passkey}', now(), now(), now())`,
  sql`insert into person_identities (issuer, subject, person_id) values ('https://issuer.test', 'ada', 'p1')`,
  sql`insert into passkeys (id, person_id, name, public_key, counter, transports)
    values ('k1', 'p1', 'Key', '\\x00ff5c0a', 3, '{usb,"a,b"}')`,
  sql`insert into recovery_codes (hash, person_id) values ('\\x0a5c', 'p1')`,
  sql`insert into openid_keys (id, private_key) values ('o1', 'sealed')`,
  sql`insert into api_tokens (id, team_id, person_id, name, hash, scopes, created_at)
    values ('a1', 't1', 'p1', 'Token', '\\x01', '{read,challenges:write}', now())`,
  sql`insert into registration_codes (id, code, code_hash, max_uses) values ('c1', 'code', '\\x02', 2)`,
  sql`insert into registration_requests (id, name, division, code_id, waits_for) values ('r1', 'Two', 'open', 'c1', 'place')`,
  sql`insert into field_answers (person_id, field, value, answered_by) values ('p1', 'city', 'Oslo', 'p1')`,
  sql`insert into eligibility_decisions (team_id, rule, result, reason) values ('t1', 'young', 'eligible', 'seen')`,
  sql`insert into pages (id, slug, place, position, published, must_accept, texts)
    values ('g1', 'rules', 'menu', 1, true, true, '[{"language":"en","title":"Rules","content":"a\\nb"}]')`,
  sql`insert into page_versions (page_id, version, data, saved_at) values ('g1', 1, '{}', now())`,
  sql`insert into page_acceptances (team_id, page_id, version, person_id) values ('t1', 'g1', 1, 'p1')`,
  sql`insert into mailings (id, subject, content, topic, addresses, count, created_at)
    values ('m1', 'Hello', 'All', 'event', 'both', 1, now())`,
  sql`insert into mail_opt_outs (address, at) values ('ada@x.test', now())`,
]

describe('a restore', () => {
  let url = ''
  let source: Database
  let path = ''
  let sealedPath = ''
  let agePath = ''
  let identity = ''
  let otherIdentity = ''
  beforeAll(async () => {
    const database = await openTestDatabase()
    ends.push(() => database[Symbol.asyncDispose]())
    ;({ url, db: source } = database)
    await putChallenge(source, challengeRow('old \\ \t\n"', { description: '\\N' }))
    await source.query(
      sql`insert into teams (id, name, email, division) values ('t1', 'One', 'one@x.test', 'open')`,
    )
    for (const statement of people) await source.query(statement)
    await source.query(sql`insert into settings_history (version, key, changed_by) values (1, 'k', 't1')`)
    const uploads = await uploadsIn(await folder())
    await uploads.store(uploadKey, Buffer.from('content'))
    const place = await folder()
    path = join(place, 'plain.tar')
    sealedPath = join(place, 'sealed.tar.enc')
    agePath = join(place, 'sealed.tar.age')
    identity = await generateIdentity()
    otherIdentity = await generateIdentity()
    await backUp(url, uploads, [path])
    await backUp(url, uploads, [sealedPath, { kind: 'passphrase', passphrase }])
    const recipients = [await identityToRecipient(identity), await identityToRecipient(otherIdentity)]
    await backUp(url, uploads, [agePath, { kind: 'recipients', recipients }])
  })

  test('brings back every row of every table, and sequences go on after the last value', async () => {
    const target = await emptyDatabase()
    const { manifest } = await restoreTo(target.url, archiveAt(sealedPath, passphrase))
    const db = await target.db()
    expect(await dump(db, manifest)).toEqual(await dump(source, manifest))
    const insert = sql`insert into settings_history (version, key, changed_by) values (2, 'k', 't1') returning id`
    const [[made], [expected]] = [await db.query(insert), await source.query(insert)]
    expect(made).toEqual(expected)
    // Triggers work again.
    const [trigger] = await db.query<{ enabled: string }>(
      sql`select tgenabled as enabled from pg_trigger where tgname = 'bloods_announced'`,
    )
    expect(trigger).toEqual({ enabled: 'O' })
  })

  test('refuses a database with rows unless it is named, and then replaces everything', async () => {
    await using other = await openTestDatabase()
    await putChallenge(other.db, challengeRow('theirs'))
    await expect(restoreTo(other.url, archiveAt(path))).rejects.toThrow(/is not empty \(.*challenges/)
    await expect(restoreTo(other.url, archiveAt(path), 'another')).rejects.toThrow(/--into names another/)
    const ids = sql`select id from challenges`
    expect(await other.db.query(ids)).toEqual([{ id: 'theirs' }])
    const [{ name } = { name: '' }] = await other.db.query<{ name: string }>(
      sql`select current_database() as name`,
    )
    await restoreTo(other.url, archiveAt(path), name)
    expect(await other.db.query(ids)).toEqual([{ id: 'old \\ \t\n"' }])
  })

  test('refuses an archive of a newer version', async () => {
    await using newer = await openTestDatabase()
    await newer.db.query(
      sql`insert into migrations (name, sha256) values ('9999-later.sql', ${'0'.repeat(64)})`,
    )
    const archive = join(await folder(), 'newer.tar')
    await backUp(newer.url, await uploadsIn(await folder()), [archive])
    await expect(restoreTo((await emptyDatabase()).url, archiveAt(archive))).rejects.toThrow(/9999-later.sql/)
  })

  test('refuses a wrong, a missing and a short passphrase', async () => {
    await expect(checkArchive(archiveAt(sealedPath, 'wrong horse battery'))).rejects.toThrow(
      /passphrase is wrong/,
    )
    await expect(checkArchive(archiveAt(sealedPath))).rejects.toThrow(/PENNANT_BACKUP_PASSPHRASE_FILE/)
    const uploads = await uploadsIn(await folder())
    const short = backUp(url, uploads, [
      join(await folder(), 'short'),
      { kind: 'passphrase', passphrase: 'short' },
    ])
    await expect(short).rejects.toThrow(/fewer than 12/)
  })

  test('refuses a plain archive where a secret is known, unless that is accepted', async () => {
    for (const secret of [passphrase, identity]) {
      const file = archiveAt(path, secret)
      await expect(checkArchive(file)).rejects.toThrow(/is not encrypted.*--accept-unencrypted/)
      const { uploads } = await checkArchive({ ...file, mayBePlain: true })
      expect(uploads?.length).toBe(1)
    }
  })

  test('each recipient restores an archive, and no one else', async () => {
    const target = await emptyDatabase()
    const { manifest } = await restoreTo(target.url, archiveAt(agePath, otherIdentity))
    const [restored, { challenges }] = [await dump(await target.db(), manifest), await dump(source, manifest)]
    expect(restored['challenges']).toEqual(challenges)
    const stranger = await generateIdentity()
    await expect(checkArchive(archiveAt(agePath, stranger))).rejects.toThrow(/No identity fits/)
    await expect(checkArchive(archiveAt(agePath))).rejects.toThrow(/--identity/)
    const wrong = archiveAt(agePath, 'AGE-SECRET-KEY-1WRONG')
    const refusal = await checkArchive(wrong).catch((error: Error) => error.message)
    expect(refusal).toMatch(/not an identity of age/)
    expect(refusal).not.toContain('1WRONG')
    const recipients = ['age1nobody']
    const nobody = backUp(url, await uploadsIn(await folder()), [
      join(await folder(), 'x'),
      { kind: 'recipients', recipients },
    ])
    await expect(nobody).rejects.toThrow(/age1nobody is not a recipient/)
  })

  test('never overwrites a file, and leaves no partial file', async () => {
    await expect(backUp(url, await uploadsIn(await folder()), [path])).rejects.toThrow(/already exists/)
    const nowhere = join(path, '../missing/plain.tar')
    await expect(backUp(url, await uploadsIn(await folder()), [nowhere])).rejects.toThrow(
      `Could not create ${nowhere}: the file or folder does not exist`,
    )
    expect((await readdir(join(path, '..'))).toSorted()).toEqual([
      'plain.tar',
      'sealed.tar.age',
      'sealed.tar.enc',
    ])
  })

  test('an encrypted archive contains no readable text', async () => {
    for (const sealed of [sealedPath, agePath]) {
      const bytes = await readFile(sealed)
      for (const text of ['tokenKey', 'manifest', 'ustar', 'content'])
        expect(bytes.includes(text)).toBe(false)
    }
  })

  test.each([
    ['another file', Buffer.from('hello')],
    ['an empty file', Buffer.alloc(0)],
    ['zeros', Buffer.alloc(4096)],
    ['another tar file', Buffer.concat([Buffer.from('other.txt'), Buffer.alloc(2000)])],
  ])('refuses %s', async (_, bytes) => {
    const file = join(await folder(), 'foreign')
    await writeFile(file, bytes)
    await expect(checkArchive(archiveAt(file))).rejects.toThrow(/is not a backup of Pennant/)
  })

  describe.each([
    ['a plain archive', () => path, () => null],
    ['an archive with a passphrase', () => sealedPath, () => passphrase],
    ['an archive for recipients', () => agePath, () => identity],
  ])('of %s', (_, pathOf, secretOf) => {
    test('refuses every flipped byte', async () => {
      const secret = secretOf()
      const bytes = await readFile(pathOf())
      const file = join(await folder(), 'flipped')
      // Deriving a key takes half a second, so fewer offsets of the encrypted archive are tried.
      const step = secret === null ? 37 : Math.ceil(bytes.length / 5)
      const edges =
        secret === null ? everyMemberEdge(bytes) : [0, 26, 27, 42, 43, bytes.length - 17, bytes.length - 1]
      const offsets = new Set(edges)
      for (let at = 0; at < bytes.length; at += step) offsets.add(at)
      const accepted: number[] = []
      for (const at of offsets) {
        const changed = Buffer.from(bytes)
        changed[at] = (changed[at] ?? 0) ^ (1 << (at % 8))
        await writeFile(file, changed)
        const outcome = await checkArchive(archiveAt(file, secret)).catch((error: Error) => error)
        if (!(outcome instanceof Error)) accepted.push(at)
        else expect(outcome.name, `${at}: ${outcome.message}`).toBe('StartError')
      }
      expect(accepted).toEqual([])
    })

    test('refuses an archive that was cut or extended', async () => {
      const secret = secretOf()
      const bytes = await readFile(pathOf())
      const file = join(await folder(), 'cut')
      const lengths = [1, 30, 60, 512, 1024, bytes.length - 1024, bytes.length - 512, bytes.length - 1]
      for (const length of lengths) {
        await writeFile(file, bytes.subarray(0, length))
        await expect(checkArchive(archiveAt(file, secret)), String(length)).rejects.toThrow(
          /damaged|is not a backup|No identity fits/,
        )
      }
      await writeFile(file, Buffer.concat([bytes, Buffer.alloc(1)]))
      await expect(checkArchive(archiveAt(file, secret))).rejects.toThrow(/damaged/)
    })
  })

  describe.each<[string, () => string | null]>([
    ['a plain archive', () => null],
    ['an archive with a passphrase', () => passphrase],
    ['an archive for a recipient', () => identity],
  ])('the signature of %s', (_, secretOf) => {
    const { privateKey } = generateKeyPairSync('ed25519')
    const { privateKey: otherKey } = generateKeyPairSync('ed25519')
    const trusted = { signedBy: [`${publicKeyOf(privateKey)} of ctf.example`], mayBeUnsigned: false }
    let signed = ''
    beforeAll(async () => {
      signed = join(await folder(), 'signed.tar')
      const secret = secretOf()
      const encryption =
        secret === null
          ? null
          : secret === passphrase
            ? ({ kind: 'passphrase', passphrase } as const)
            : ({ kind: 'recipients', recipients: [await identityToRecipient(identity)] } as const)
      await backUp(url, await uploadsIn(await folder()), [signed, encryption, privateKey])
    })

    test('is verified, and covers each pass over the file', async () => {
      const verified = await verifySignature(signed, trusted)
      const file = { ...archiveAt(signed, secretOf()), verified }
      const target = await emptyDatabase()
      const { manifest } = await restoreTo(target.url, file)
      // Another archive of the same database, at the same path.
      const swapped = join(await folder(), 'swapped.tar')
      await backUp(url, await uploadsIn(await folder()), [swapped])
      const other = { ...archiveAt(swapped), verified }
      await expect(checkArchive(other)).rejects.toThrow(/changed after its signature was verified/)
      const empty = await emptyDatabase()
      const uploads = await uploadsIn(await folder())
      const swappedLater = withClient(empty.url, (client) =>
        restoreArchive(other, manifest, { client, into: null, uploads }),
      )
      await expect(swappedLater).rejects.toThrow(/it changed/)
      const db = await empty.db()
      expect(await db.query(sql`select to_regclass('teams') as found`)).toEqual([{ found: null }])
    })

    test('refuses what was changed, swapped, signed by others or not signed', async () => {
      const copy = join(await folder(), 'copy.tar')
      const outcome = () => verifySignature(copy, trusted)
      await copyFile(signed, copy)
      await expect(outcome()).rejects.toThrow(/has no signature .*--accept-unsigned/)
      expect(await verifySignature(copy, { ...trusted, mayBeUnsigned: true })).toBeNull()
      expect(await verifySignature(copy, { ...trusted, signedBy: [] })).toBeNull()

      await copyFile(signaturePath(signed), signaturePath(copy))
      expect(await outcome()).toMatchObject({ signer: publicKeyOf(privateKey) })
      const bytes = await readFile(signed)
      for (const at of [0, bytes.length >> 1, bytes.length - 1]) {
        const changed = Buffer.from(bytes)
        changed[at] = (changed[at] ?? 0) ^ 1
        await writeFile(copy, changed)
        await expect(outcome()).rejects.toThrow(/does not match its signature/)
        // A wrong signature is worse than none.
        await expect(verifySignature(copy, { ...trusted, mayBeUnsigned: true })).rejects.toThrow(
          /does not match/,
        )
      }
      await copyFile(signed, copy)
      await writeFile(signaturePath(copy), 'hello')
      await expect(outcome()).rejects.toThrow(/is not a signature of a backup/)
      await rm(signaturePath(copy))

      const foreign = join(await folder(), 'foreign.tar')
      await backUp(url, await uploadsIn(await folder()), [foreign, null, otherKey])
      await expect(verifySignature(foreign, trusted)).rejects.toThrow(publicKeyOf(otherKey))
      const again = join(await folder(), 'again.tar')
      await backUp(url, await uploadsIn(await folder()), [again, null, privateKey])
      await copyFile(signaturePath(again), signaturePath(copy))
      await expect(outcome()).rejects.toThrow(/belongs to another archive/)
    })
  })

  test('a signature without its archive is not left behind', async () => {
    const { privateKey } = generateKeyPairSync('ed25519')
    const target = join(await folder(), 'taken.tar')
    await writeFile(target, '')
    const uploads = await uploadsIn(await folder())
    await expect(backUp(url, uploads, [target, null, privateKey])).rejects.toThrow('taken.tar already exists')
    expect(await readdir(join(target, '..'))).toEqual(['taken.tar'])
    await writeFile(signaturePath(target), '')
    await expect(backUp(url, uploads, [target, null, privateKey])).rejects.toThrow('.sig already exists')
  })

  test('stores no upload that was changed after the check', async () => {
    const manifest = await checkArchive(archiveAt(path))
    const bytes = await readFile(path)
    const file = join(await folder(), 'later')
    const at = bytes.indexOf('uploads/000001\0') + 512
    expect(bytes.toString('latin1', at, at + 7)).toBe('content')
    bytes.write('CONTENT', at)
    await writeFile(file, bytes)
    const uploads = await uploadsIn(await folder())
    const work = withClient((await emptyDatabase()).url, (client) =>
      restoreArchive(archiveAt(file), manifest, { client, into: null, uploads }),
    )
    await expect(work).rejects.toThrow(/it changed while it was read/)
    expect(await uploads.contents?.open(uploadKey)).toBeNull()
  })

  test('changes nothing if a part is damaged after the check', async () => {
    const target = await emptyDatabase()
    const manifest = await checkArchive(archiveAt(path))
    const bytes = await readFile(path)
    const file = join(await folder(), 'later')
    const at = bytes.indexOf('manifest.json\0') - 200
    bytes[at] = (bytes[at] ?? 0) ^ 1
    await writeFile(file, bytes)
    const uploads = await uploadsIn(await folder())
    const work = withClient(target.url, (client) =>
      restoreArchive(archiveAt(file), manifest, { client, into: null, uploads }),
    )
    await expect(work).rejects.toThrow(/damaged/)
    const db = await target.db()
    expect(await db.query(sql`select to_regclass('teams') as found`)).toEqual([{ found: null }])
  })
})

/** First and last byte of each header, content and padding. */
function everyMemberEdge(bytes: Buffer): number[] {
  const edges: number[] = []
  for (let at = 0; at < bytes.length - 1024;) {
    const size = Number.parseInt(bytes.toString('latin1', at + 124, at + 135), 8)
    const end = at + 512 + size
    const next = at + 512 + Math.ceil(size / 512) * 512
    edges.push(at, at + 99, at + 130, at + 150, at + 511, at + 512, end - 1, next - 1)
    at = next
  }
  return [...edges, bytes.length - 1024, bytes.length - 1]
}
