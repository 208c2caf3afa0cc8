import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  sign,
  type KeyObject,
} from 'node:crypto'
import { promisify } from 'node:util'
import { HOUR_MS, MINUTE_MS } from '@pennant/contract/durations.ts'
import sql from 'sql-template-tag'
import type { Database, Queries } from '../../../db/database.ts'
import { createSealer } from '../../../lib/sealer.ts'

// Keys that sign ID tokens: made when the first site is created, shared by all processes through the database.

/** RS256 is the one algorithm that every client has. */
const ALGORITHM = { alg: 'RS256', use: 'sig' }
const MODULUS_BITS = 2048

/** How long the keys that are read stay in memory. */
const KNOWN_MS = MINUTE_MS
/** A key that was replaced is published for as long as sites keep a copy of the list. */
export const RETIRED_MS = 24 * HOUR_MS
const MAX_KEYS = 10

interface SigningKey {
  readonly id: string
  readonly key: KeyObject
}

export interface KeyDeps {
  readonly db: Database
  readonly now: () => number
  /** 32 bytes. */
  readonly tokenKey: Buffer
}

export interface OpenIdKeys {
  /** Creates the first key, if there is none. */
  ensure(): Promise<void>
  /** As a JSON Web Key Set, the newest first. */
  publicKeys(): Promise<PublicKey[]>
  /** A JSON Web Signature of the claims. */
  sign(claims: object): Promise<string>
}

type PublicKey = ReturnType<typeof publicKeyOf>

export function createOpenIdKeys({ db, now, tokenKey }: KeyDeps): OpenIdKeys {
  let known: { readonly keys: readonly SigningKey[]; readonly at: number } | null = null

  async function keys(): Promise<readonly SigningKey[]> {
    if (known && known.keys.length > 0 && now() - known.at < KNOWN_MS) return known.keys
    known = { keys: await readKeys(db, tokenKey, now()), at: now() }
    return known.keys
  }

  async function newest(): Promise<SigningKey> {
    const [found] = await keys()
    if (found) return found
    // After a restart with another token key, earlier keys cannot be opened.
    await addKey({ db, now, tokenKey }, { onlyFirst: true })
    known = null
    const [made] = await keys()
    if (!made) throw new Error('a key that was created is missing')
    return made
  }

  return {
    ensure: async () => void (await newest()),
    publicKeys: async () => (await keys()).map(publicKeyOf),
    async sign(claims) {
      const { id, key } = await newest()
      const head = encoded({ alg: ALGORITHM.alg, typ: 'JWT', kid: id })
      const content = `${head}.${encoded(claims)}`
      return `${content}.${sign('sha256', Buffer.from(content), key).toString('base64url')}`
    },
  }
}

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

function publicKeyOf({ id, key }: SigningKey) {
  const { kty = '', n = '', e = '' } = createPublicKey(key).export({ format: 'jwk' })
  return { kty, n, e, kid: id, ...ALGORITHM }
}

/** The newest first. Leaves out what was sealed with another token key, and what was replaced long ago. */
async function readKeys(db: Queries, tokenKey: Buffer, now: number): Promise<SigningKey[]> {
  const sealer = createSealer(tokenKey)
  const rows = await db.query<{ id: string; sealed: string; replacedAt: Date | null }>(sql`
    select id, private_key as sealed, lag(created_at) over (order by created_at desc, id) as "replacedAt"
    from openid_keys order by created_at desc, id limit ${MAX_KEYS}`)
  return rows.flatMap(({ id, sealed, replacedAt }) => {
    const der = sealer.open(sealed)
    if (der === null || (replacedAt !== null && replacedAt.getTime() + RETIRED_MS < now)) return []
    return [{ id, key: createPrivateKey({ key: Buffer.from(der, 'base64'), format: 'der', type: 'pkcs8' }) }]
  })
}

/** A new key, which signs from then on: in every process within a minute. Returns its id. */
export async function addKey(
  { db, now, tokenKey }: KeyDeps,
  { onlyFirst }: { readonly onlyFirst: boolean },
): Promise<string> {
  const { privateKey, publicKey } = await promisify(generateKeyPair)('rsa', { modulusLength: MODULUS_BITS })
  const id = createHash('sha256')
    .update(publicKey.export({ format: 'der', type: 'spki' }))
    .digest('base64url')
  const der = privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64')
  const sealed = createSealer(tokenKey).seal(der)
  // The change lock: of two processes that find none, one adds a key.
  await db.change(async (tx) => {
    if (onlyFirst && (await readKeys(tx, tokenKey, now())).length > 0) return
    await tx.query(sql`
      insert into openid_keys (id, private_key, created_at)
      values (${id}, ${sealed}, to_timestamp(${now()} / 1000.0))`)
    await tx.query(sql`
      delete from openid_keys where id not in (
        select id from openid_keys order by created_at desc, id limit ${MAX_KEYS})`)
  })
  return id
}
