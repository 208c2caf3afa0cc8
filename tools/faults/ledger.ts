import { Client } from 'pg'

/** Every write that the server acknowledged. */
export interface Ledger {
  readonly challengeIds: readonly string[]
  /** Names of teams. */
  readonly teams: string[]
  /** Team and challenge, separated by a slash. */
  readonly solves: string[]
  /** Wrong flags, each submitted once. */
  readonly wrong: string[]
  /** Team and pushed points, separated by a slash. */
  readonly pushes: string[]
  readonly uploads: { readonly url: string; readonly text: string }[]
}

export interface Checked {
  readonly lost: number
  readonly twice: number
}

const QUERIES = {
  teams: 'select name as key, count(*)::int as rows from teams group by 1',
  solves: `select teams.name || '/' || solves.challenge_id as key, count(*)::int as rows
    from solves join teams on teams.id = team_id group by 1`,
  audited: `select teams.name || '/' || solves.challenge_id as key, count(*)::int as rows
    from solves join teams on teams.id = solves.team_id
    join submissions on related_id = solves.id::text and result = 'correct' group by 1`,
  wrong: `select details ->> 'submittedFlag' as key, count(*)::int as rows
    from submissions where result = 'incorrect' group by 1`,
  pushes: `select teams.name || '/' || delta as key, count(*)::int as rows
    from feed_events join teams on teams.id = team_id group by 1`,
} as const

/** Counts acknowledged writes without a row, and rows that exist more than once. */
export async function checkLedger(databaseUrl: string, ledger: Ledger): Promise<Checked> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    let lost = 0
    let twice = 0
    const expected = { ...ledger, audited: ledger.solves }
    for (const [name, query] of Object.entries(QUERIES)) {
      const { rows } = await client.query<{ key: string; rows: number }>(query)
      const byKey = new Map(rows.map((row) => [row.key, row.rows]))
      lost += expected[name as keyof typeof QUERIES].filter((key) => !byKey.has(key)).length
      twice += rows.filter((row) => row.rows > 1).length
    }
    return { lost, twice }
  } finally {
    await client.end()
  }
}

export function countWrites({ teams, solves, wrong, pushes, uploads }: Ledger): number {
  return teams.length + solves.length + wrong.length + pushes.length + uploads.length
}
