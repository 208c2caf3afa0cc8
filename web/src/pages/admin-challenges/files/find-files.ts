import { MAX_UPLOAD_QUERY, queryUploadsV2 } from '@pennant/contract/uploads.ts'
import { requestData } from '../../../api/client.ts'
import { hashIn } from '../../../challenge/file-facts.ts'
import type { Draft } from '../draft.ts'

type ChallengeFile = Draft['files'][number]

interface Wanted {
  readonly sha256: string
  readonly name: string
}

/**
 * Looks up by content hash which files the server already has; null for a file that is not stored. Files
 * beyond the request limit count as not stored. Throws `RequestFailure`.
 */
export async function findFiles(files: Draft['files']): Promise<readonly (ChallengeFile | null)[]> {
  const wanted = files.map(({ name, url }) => {
    const sha256 = hashIn(url)
    return sha256 === null ? null : { sha256, name }
  })
  const asked = wanted.filter((each) => each !== null).slice(0, MAX_UPLOAD_QUERY)
  const stored = asked.length === 0 ? null : await storedAmong(asked)
  return wanted.map((each) => (each && stored?.get(keyOf(each))) ?? null)
}

/** Returns the file with this content and name if the server has it. Throws `RequestFailure`. */
export async function findStored(wanted: Wanted): Promise<ChallengeFile | null> {
  return (await storedAmong([wanted])).get(keyOf(wanted)) ?? null
}

async function storedAmong(uploads: Wanted[]): Promise<ReadonlyMap<string, ChallengeFile>> {
  const found = await requestData(queryUploadsV2, { body: { uploads } })
  const stored = new Map<string, ChallengeFile>()
  for (const { sha256, name, url, size } of found)
    if (url) stored.set(keyOf({ sha256, name }), { name, url, size })
  return stored
}

function keyOf({ sha256, name }: Wanted): string {
  return `${sha256} ${name}`
}
