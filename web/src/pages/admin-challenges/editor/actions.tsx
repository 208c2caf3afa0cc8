import { deleteChallenge } from '@pennant/contract/admin-challenges.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { FailureLine } from '../../../account/failure-line.tsx'
import { send } from '../../../api/client.ts'
import { useMay } from '../../../api/use-contest.ts'
import { useFailureMessage } from '../../../layout/use-failure-message.ts'
import { paths } from '../../../paths.ts'
import { adminChallengesMessages } from '../../../text/en/admin-challenges.ts'
import { useMessages } from '../../../text/messages.ts'
import { buttonClass, IconButton } from '../../../ui/buttons/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Confirm } from '../../../ui/layers/confirm.tsx'
import { announce } from '../../../ui/announcer.tsx'
import { saveFile } from '../../../ui/save-file.ts'
import { bodyOf, DRAFT_FIELDS, draftOf, type AdminChallenge, type CountedChallenge } from '../draft.ts'
import { exportedText } from '../import/exported.ts'
import { freeId } from '../free-id.ts'
import { allChallengesQuery, challengesKey, writeChallenge } from '../queries.ts'
import { newSecret } from '../scoring/new-secret.ts'
import { dropDraft } from './stored-drafts.ts'

interface ActionsProps {
  readonly challenge: CountedChallenge
  readonly isDirty: boolean
  /** Called after the challenge was deleted; nothing is left to save. */
  readonly onDeleted: () => void
}

/** Actions on the whole challenge. */
export function Actions({ challenge, isDirty, onDeleted }: ActionsProps) {
  const text = useMessages(adminChallengesMessages)
  const duplicate = useDuplicate(challenge)
  const mayReadActions = useMay('challsRead', 'usersWrite', 'settingsWrite')
  return (
    <div className="pn-wrap">
      <IconButton
        icon="copy"
        label={text.duplicate}
        busy={duplicate.isPending}
        disabledBecause={isDirty ? text.unsaved(1) : undefined}
        onClick={() => duplicate.mutate()}
      />
      <IconButton icon="download" label={text.export} onClick={() => download(challenge)} />
      {mayReadActions && (
        <Link
          to={paths.actionsOf(challenge.id)}
          className={buttonClass('quiet', 'icon')}
          aria-label={text.actionLog}
          title={text.actionLog}
        >
          <Icon name="text" />
        </Link>
      )}
      <Delete challenge={challenge} onDeleted={onDeleted} />
      <FailureLine>{duplicate.data?.failure ?? undefined}</FailureLine>
    </div>
  )
}

function useDuplicate(challenge: AdminChallenge) {
  const text = useMessages(adminChallengesMessages)
  const failureMessage = useFailureMessage()
  const client = useQueryClient()
  const navigate = useNavigate()
  const all = useQuery(allChallengesQuery).data ?? []
  return useMutation({
    mutationFn: async () => {
      const source = draftOf(challenge)
      const id = freeId(challenge.id, new Set(all.map((each) => each.id)))
      const scoring =
        source.scoring.kind === 'dynamic'
          ? // Each challenge needs its own secret.
            { kind: 'dynamic' as const, source: { transport: 'webhook' as const, secret: newSecret() } }
          : source.scoring
      const copy = { ...source, scoring, name: text.copyOf(source.name), hidden: true, releaseTime: null }
      return { id, failure: await failureMessage(writeChallenge(id, bodyOf(copy, DRAFT_FIELDS))) }
    },
    onSuccess: async ({ id, failure }) => {
      if (failure !== null) return
      await client.invalidateQueries({ queryKey: challengesKey })
      void navigate(paths.adminChallenge(id))
    },
  })
}

function Delete({ challenge, onDeleted }: Pick<ActionsProps, 'challenge' | 'onDeleted'>) {
  const { id, name, solveCount } = challenge
  const text = useMessages(adminChallengesMessages)
  const failureMessage = useFailureMessage()
  const client = useQueryClient()
  const navigate = useNavigate()
  const [isAsking, setAsking] = useState(false)
  const deletion = useMutation({
    mutationFn: () => failureMessage(send(deleteChallenge, { params: { id } })),
    onSuccess: async (failure) => {
      if (failure !== null) return
      setAsking(false)
      dropDraft(id)
      onDeleted()
      announce(text.deletedNamed(name === '' ? id : name))
      // Invalidate only the list: refetching the deleted challenge would return 404.
      await client.invalidateQueries({ queryKey: challengesKey, exact: true })
      void navigate(paths.adminChallenges(), { replace: true })
    },
  })
  return (
    <>
      <IconButton icon="trash" label={text.delete} onClick={() => setAsking(true)} />
      <Confirm
        open={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={() => deletion.mutate()}
        title={text.deleteTitle(name === '' ? id : name)}
        action={text.delete}
        busy={deletion.isPending}
        word={id}
      >
        <p>{text.deleteAbout(solveCount)}</p>
        <FailureLine>{deletion.data ?? undefined}</FailureLine>
      </Confirm>
    </>
  )
}

function download(challenge: AdminChallenge): void {
  const name = `${challenge.id.replaceAll(/[^\w.-]/g, '_')}.json`
  saveFile({ name, content: exportedText(challenge), type: 'application/json' })
}
