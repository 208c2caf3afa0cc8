import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { ownKey } from '../../../api/queries.ts'
import { Waiting } from '../../../layout/organiser-list/organiser-page.tsx'
import { useWhy } from '../../../layout/organiser-list/use-why.ts'
import { paths } from '../../../paths.ts'
import { refresh } from '../../../state/live.ts'
import { useText } from '../../../text/catalogue.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { useToasts } from '../../../ui/layers/toasts.tsx'
import { bodyOf, DRAFT_FIELDS, draftOf, NEW_DRAFT, type Draft } from '../draft.ts'
import type { Imported } from '../exported.ts'
import { changedFields } from '../merge.ts'
import { findFiles } from '../files/find-files.ts'
import { allChallengesQuery, challengesKey, writeChallenge } from '../queries.ts'
import { words } from '../words.ts'
import { Differences } from './differences.tsx'
import { MissingFiles } from './missing-files.tsx'

type ChallengeFile = Draft['files'][number]

interface ImportReviewProps {
  readonly imported: Imported
  readonly onDone: () => void
}

/** The files of the import first, then what it would change, then the deed. */
export function ImportReview({ imported, onDone }: ImportReviewProps) {
  const all = useQuery(allChallengesQuery)
  const found = useQuery({
    queryKey: [ownKey, 'import-files', imported.draft.files],
    queryFn: () => findFiles(imported.draft.files),
    ...refresh(null),
  })
  /** By place: what was dropped in, or null for what is left out. */
  const [brought, setBrought] = useState<ReadonlyMap<number, ChallengeFile | null>>(new Map())
  if (!all.data) return <Waiting query={all} rows={3} />
  if (!found.data) return <Waiting query={found} rows={3} />
  const missing = imported.draft.files
    .map(({ name }, at) => ({ name, at }))
    .filter(({ at }) => found.data[at] === null && !brought.has(at))
  const files = found.data.flatMap((file, at) => file ?? brought.get(at) ?? [])
  const bring = (at: number, file: ChallengeFile | null) => setBrought((old) => new Map(old).set(at, file))
  if (missing.length > 0) return <MissingFiles missing={missing} onFile={bring} />
  const existing = all.data.find(({ id }) => id === imported.id)
  const before = existing ? draftOf(existing) : null
  const after = { ...withSecret(imported.draft, before), files }
  return <Writing id={imported.id} before={before} after={after} onDone={onDone} />
}

/** Files hold no secret of a webhook: a challenge that has one keeps it. */
function withSecret(draft: Draft, before: Draft | null): Draft {
  const keeps = draft.scoring.kind === 'dynamic' && before?.scoring.kind === 'dynamic'
  return keeps ? { ...draft, scoring: before.scoring } : draft
}

interface WritingProps {
  readonly id: string
  /** Null: the challenge is new. */
  readonly before: Draft | null
  readonly after: Draft
  readonly onDone: () => void
}

function Writing({ id, before, after, onDone }: WritingProps) {
  const text = useText(words)
  const why = useWhy()
  const toasts = useToasts()
  const client = useQueryClient()
  const navigate = useNavigate()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const fields = before ? changedFields(before, after) : DRAFT_FIELDS
  const write = async () => {
    setBusy(true)
    const reason = await why(writeChallenge(id, bodyOf(after, fields)))
    setBusy(false)
    setFailure(reason)
    if (reason !== null) return
    await client.invalidateQueries({ queryKey: challengesKey })
    toasts.show(text.imported(after.name), 'ok')
    onDone()
    void navigate(paths.adminChallenge(id))
  }
  if (fields.length === 0) return <p>{text.importSame}</p>
  return (
    <>
      {!before && <p>{text.importNew}</p>}
      <Differences before={before ?? NEW_DRAFT} after={after} fields={fields} />
      {failure !== null && <p role="alert">{failure}</p>}
      <Button tone="primary" busy={busy} onClick={() => void write()}>
        {text.importWrite}
      </Button>
    </>
  )
}
