import sql from 'sql-template-tag'
import type { ChangeTransaction, Queries } from '../../../db/database.ts'

type Graph = ReadonlyMap<string, readonly string[]>

/** The ids of a cycle that begins and ends with `id`, or null. Each challenge is visited once. */
export function findCycle(id: string, prerequisitesOf: Graph): string[] | null {
  const cameFrom = new Map<string, string>()
  const waiting = [id]
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    for (const next of prerequisitesOf.get(at) ?? []) {
      if (next === id) return pathTo(at, cameFrom).concat(id)
      if (cameFrom.has(next)) continue
      cameFrom.set(next, at)
      waiting.push(next)
    }
  }
  return null
}

function pathTo(end: string, cameFrom: ReadonlyMap<string, string>): string[] {
  const path = [end]
  for (let at = cameFrom.get(end); at !== undefined; at = cameFrom.get(at)) path.unshift(at)
  return path
}

/** Cycles that are named in a message are cut to this many challenges. */
const MAX_NAMED = 10

/**
 * What is wrong with the prerequisites of these challenges after an edit of all of them, by id. Undefined: they stay, but the
 * challenge exists. Under the change lock, two edits cannot close a cycle.
 */
export async function findPrerequisiteProblems(
  db: Queries,
  edits: ReadonlyMap<string, readonly string[] | undefined>,
): Promise<ReadonlyMap<string, string>> {
  const edited = [...edits].filter((edit): edit is [string, readonly string[]] => edit[1] !== undefined)
  const problems = new Map<string, string>()
  if (edited.length === 0) return problems
  const wanted = edited.flatMap(([, prerequisites]) => prerequisites)
  const rows = await db.query<{ id: string; prerequisites: string[] }>(sql`
    select id, prerequisites from challenges where prerequisites <> '[]' or id = any(${wanted})`)
  const graph = new Map<string, readonly string[]>([...edits.keys()].map((id) => [id, []]))
  for (const row of rows) graph.set(row.id, row.prerequisites)
  for (const [id, prerequisites] of edited) graph.set(id, prerequisites)
  for (const [id, prerequisites] of edited) {
    const unknown = prerequisites.find((each) => !graph.has(each))
    const cycle = unknown === undefined ? findCycle(id, graph) : null
    if (unknown !== undefined) problems.set(id, `no such challenge: ${unknown}`)
    if (cycle) problems.set(id, `are a cycle, which no team can open: ${named(cycle)}`)
  }
  return problems
}

function named(cycle: readonly string[]): string {
  return (cycle.length > MAX_NAMED ? [...cycle.slice(0, MAX_NAMED), '…'] : cycle).join(' → ')
}

/** What required a deleted challenge is open without it. Returns the ids of the challenges that changed. */
export async function forgetPrerequisite(tx: ChangeTransaction, id: string): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(sql`
    update challenges set prerequisites = prerequisites - ${id}::text, version = version + 1
    where prerequisites @> ${JSON.stringify([id])}::jsonb returning id`)
  return rows.map((row) => row.id)
}
