import { deleteChallenge } from '@pennant/contract/admin-challenges.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { send } from '../../api/client.ts'
import { useWhy } from '../../layout/organiser-list/use-why.ts'
import { paths } from '../../paths.ts'
import { useText } from '../../text/catalogue.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Confirm } from '../../ui/layers/confirm.tsx'
import { useToasts } from '../../ui/layers/toasts.tsx'
import { saveFile } from '../../ui/save-file.ts'
import styles from './challenges.module.css'
import { bodyOf, DRAFT_FIELDS, draftOf, type AdminChallenge, type CountedChallenge } from './draft.ts'
import { exportedText } from './exported.ts'
import { freeId } from './free-id.ts'
import { allChallengesQuery, challengesKey, writeChallenge } from './queries.ts'
import { newSecret } from './scoring/new-secret.ts'
import { dropDraft } from './stored-drafts.ts'
import { words } from './words.ts'

interface DeedsProps {
  readonly challenge: CountedChallenge
  readonly isDirty: boolean
  /** It was deleted: nothing of it is left to be saved. */
  readonly onDeleted: () => void
}

/** What is done to the challenge as a whole. */
export function Deeds({ challenge, isDirty, onDeleted }: DeedsProps) {
  const text = useText(words)
  const duplicate = useDuplicate(challenge)
  return (
    <div className={styles.line}>
      <Button
        icon="copy"
        busy={duplicate.busy}
        disabledBecause={isDirty ? text.unsaved(1) : undefined}
        onClick={() => void duplicate.run()}
      >
        {text.duplicate}
      </Button>
      <Button icon="download" onClick={() => download(challenge)}>
        {text.export}
      </Button>
      <Delete challenge={challenge} onDeleted={onDeleted} />
    </div>
  )
}

function useDuplicate(challenge: AdminChallenge) {
  const text = useText(words)
  const why = useWhy()
  const toasts = useToasts()
  const client = useQueryClient()
  const navigate = useNavigate()
  const all = useQuery(allChallengesQuery).data ?? []
  const [busy, setBusy] = useState(false)
  const run = async () => {
    setBusy(true)
    const source = draftOf(challenge)
    const id = freeId(challenge.id, new Set(all.map((each) => each.id)))
    const scoring =
      source.scoring.kind === 'dynamic'
        ? // Each challenge needs a secret of its own.
          { kind: 'dynamic' as const, source: { transport: 'webhook' as const, secret: newSecret() } }
        : source.scoring
    const copy = { ...source, scoring, name: text.copyOf(source.name), hidden: true, releaseTime: null }
    const reason = await why(writeChallenge(id, bodyOf(copy, DRAFT_FIELDS)))
    setBusy(false)
    if (reason !== null) return toasts.show(reason, 'bad')
    await client.invalidateQueries({ queryKey: challengesKey })
    void navigate(paths.adminChallenge(id))
  }
  return { run, busy }
}

function Delete({ challenge, onDeleted }: Pick<DeedsProps, 'challenge' | 'onDeleted'>) {
  const { id, name, solveCount } = challenge
  const text = useText(words)
  const why = useWhy()
  const toasts = useToasts()
  const client = useQueryClient()
  const navigate = useNavigate()
  const [isAsking, setAsking] = useState(false)
  const [busy, setBusy] = useState(false)
  const remove = async () => {
    setBusy(true)
    const reason = await why(send(deleteChallenge, { params: { id } }))
    setBusy(false)
    setAsking(false)
    if (reason !== null) return toasts.show(reason, 'bad')
    dropDraft(id)
    onDeleted()
    toasts.show(text.deleted(name === '' ? id : name), 'ok')
    // The list alone: the challenge itself would be asked for once more, and be missing.
    await client.invalidateQueries({ queryKey: challengesKey, exact: true })
    void navigate(paths.adminChallenges(), { replace: true })
  }
  return (
    <>
      <Button tone="danger" icon="trash" onClick={() => setAsking(true)}>
        {text.delete}
      </Button>
      <Confirm
        open={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={() => void remove()}
        title={text.deleteTitle(name === '' ? id : name)}
        deed={text.delete}
        busy={busy}
        word={id}
      >
        <p>{text.deleteAbout(solveCount)}</p>
      </Confirm>
    </>
  )
}

function download(challenge: AdminChallenge): void {
  const name = `${challenge.id.replaceAll(/[^\w.-]/g, '_')}.json`
  saveFile({ name, content: exportedText(challenge), type: 'application/json' })
}
