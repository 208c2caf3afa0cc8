import { z } from 'zod'

/** The first member: a file without it is not an archive of Pennant. */
export const MARK_NAME = 'pennant-backup'
export const MARK = Buffer.from('{"format":1}\n')
export const CONFIG_NAME = 'config.yaml'
export const KEYS_NAME = 'keys.json'
/** The last two members. */
export const MANIFEST_NAME = 'manifest.json'
export const CHECKSUM_NAME = 'manifest.json.sha256'

/** Size of a table's part before compression: the memory that a backup and a restore need. */
export const PART_BYTES = 4 * 1024 ** 2
/** A part has whole rows, so one large row makes a larger part. */
export const MAX_PART_BYTES = 256 * 1024 ** 2

const Count = z.int().min(0)
const Digest = z.string().regex(/^[0-9a-f]{64}$/)

const Table = z.strictObject({
  name: z.string(),
  columns: z.array(z.string()).min(1),
  rows: Count,
  /** Number of members `database/<name>.<n>.copy.gz`. Unzipped and joined they are the output of COPY in text format. */
  parts: Count,
})
export type Table = z.infer<typeof Table>

export const Manifest = z.strictObject({
  format: z.literal(1),
  /** Time of the snapshot on the database's clock, ISO 8601. */
  snapshotAt: z.iso.datetime(),
  postgres: z.string(),
  hasSecrets: z.boolean(),
  /** The schema version: every applied migration. */
  migrations: z.array(z.strictObject({ name: z.string(), sha256: Digest })),
  /** The last entry of the action log, for `pennant verify --actions-head`. */
  actionsHead: z.strictObject({ seq: Count, hash: Digest }).optional(),
  /** In an order in which references exist when they are loaded. */
  tables: z.array(Table),
  sequences: z.array(
    z.strictObject({
      table: z.string(),
      column: z.string(),
      value: z.string().regex(/^\d+$/),
      isCalled: z.boolean(),
    }),
  ),
  /** Null if the provider of uploads cannot list its files. The member of the nth file is `uploads/<n>`. */
  uploads: z.array(z.strictObject({ key: z.string(), member: z.string() })).nullable(),
  members: z.array(z.strictObject({ name: z.string(), size: Count, sha256: Digest })),
})
export type Manifest = z.infer<typeof Manifest>

export const Keys = z.strictObject({
  /** 32 bytes in base64. Signs the tokens of all teams. */
  tokenKey: z.string(),
  startTime: z.iso.datetime(),
})
export type Keys = z.infer<typeof Keys>

/** `startTime` in Unix milliseconds. */
export function keysOf(config: { readonly tokenKey: Buffer; readonly startTime: number }): Keys {
  return {
    tokenKey: config.tokenKey.toString('base64'),
    startTime: new Date(config.startTime).toISOString(),
  }
}

export const partName = (table: string, n: number) =>
  `database/${table}.${String(n).padStart(6, '0')}.copy.gz`
