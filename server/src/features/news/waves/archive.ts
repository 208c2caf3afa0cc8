import { listWaves, waveLimits } from '@pennant/contract/waves.ts'
import sql from 'sql-template-tag'
import type { Queries } from '../../../db/database.ts'
import type {
  ArchiveKind,
  FieldProblem,
  OpenField,
  PlannedField,
  ValueOf,
} from '../../contest/kinds/archive-kind.ts'
import { waveRows } from './rows.ts'

/** A name, because ids differ between sites; null for none. */
type Value = string | null

/** The wave of a challenge in an archive. Importing never creates one. */
export const waveArchive: ArchiveKind<Value> = {
  field: 'wave',
  stored: (world) => namesOf(world.rows(waveRows)),
  async fetch({ call, refused }) {
    const result = await call(listWaves, {})
    if (result.kind !== 'goodWaves') throw refused(result)
    return namesOf(result.data.waves)
  },
  open,
  decides: (name) =>
    name === null
      ? null
      : { field: 'releaseTime', reason: `the wave ${name} decides the release time; leave the field out` },
}

function namesOf(waves: readonly { readonly id: string; readonly name: string }[]): ValueOf<Value> {
  const names = new Map(waves.map(({ id, name }) => [id, name]))
  return ({ waveId }) => (waveId ? (names.get(waveId) ?? null) : null)
}

interface OpenWave {
  readonly id: string
  readonly name: string
  /** How many challenges it has, those of the archive that join it included. */
  count: number
}

async function open(db: Queries): Promise<OpenField<Value>> {
  const waves = await db.query<OpenWave>(sql`
    select id, name, (select count(*) from challenges where wave_id = waves.id) as count from waves`)
  const joined = new Map<string, string | null>()
  return {
    valueOf: namesOf(waves),
    check: (planned) =>
      planned.flatMap((each) => {
        const { waveId, problems } = join(waves, each)
        if (waveId !== undefined) joined.set(each.id, waveId)
        return problems.map((reason): FieldProblem => ({ id: each.id, reason }))
      }),
    patchOf: (id) => ({ waveId: joined.get(id) }),
  }
}

function join(
  waves: readonly OpenWave[],
  { value: name, stored, fields }: PlannedField<Value>,
): { readonly waveId?: string | null; readonly problems: string[] } {
  const isInWave = name === undefined ? Boolean(stored?.waveId) : name !== null
  const problems =
    isInWave && fields.includes('releaseTime')
      ? ['releaseTime: is the time of the wave; leave it out, and move the wave to change it']
      : []
  if (name === undefined || !fields.includes('wave')) return { problems }
  if (name === null) return { waveId: null, problems }
  const wave = waves.find((each) => each.name === name)
  // A misspelt name must not create a wave without a time, which would hide the challenge.
  if (!wave) return { problems: [...problems, `wave: there is no wave named ${name}; create it first`] }
  wave.count += 1
  if (wave.count <= waveLimits.challenges) return { waveId: wave.id, problems }
  return {
    problems: [...problems, `wave: ${name} cannot have more than ${waveLimits.challenges} challenges`],
  }
}
