import { MAX_FLAG_TRIALS, tryFlags } from '@pennant/contract/flag-trials.ts'
import { MAX_FLAG_LENGTH } from '@pennant/contract/submissions.ts'
import { useState } from 'react'
import { FailureLine } from '../account/failure-line.tsx'
import { useAction } from '../account/use-action.ts'
import { send } from '../api/client.ts'
import { organiserListMessages } from '../text/en/organiser-list.ts'
import { useMessages } from '../text/messages.ts'
import { Button } from '../ui/buttons/button.tsx'
import { StillProvider } from '../ui/fields/field.tsx'
import { TextInput } from '../ui/fields/inputs.tsx'
import { Icon } from '../ui/icon.tsx'
import styles from './try-flags.module.css'

interface TryFlagsProps {
  readonly challenges: readonly { readonly id: string; readonly name: string }[]
}

type Outcome = 'accepted' | 'refused' | 'noFlag' | 'noChallenge'
/** What was tried last of each challenge. */
type Tried = ReadonlyMap<string, { readonly flag: string; readonly outcome: Outcome }>

/** Tries flags as a submission would, one field for each challenge. Nothing is submitted. */
export function TryFlags({ challenges }: TryFlagsProps) {
  const text = useMessages(organiserListMessages).tryFlags
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({})
  const [tried, setTried] = useState<Tried>(new Map())
  const action = useAction()
  const shown = challenges.slice(0, MAX_FLAG_TRIALS)
  const trials = shown.flatMap(({ id }) => {
    const flag = typed[id] ?? ''
    return flag === '' ? [] : [{ challengeId: id, flag }]
  })
  const run = async () => {
    if (trials.length === 0 || action.isPending) return
    const response = await action.run(() => send(tryFlags, { body: { data: { trials } } }))
    if (response?.kind !== 'goodFlagTrials') return
    const entries = response.data.trials.map(
      ({ challengeId, outcome }, at) => [challengeId, { flag: trials[at]?.flag ?? '', outcome }] as const,
    )
    setTried(new Map([...tried, ...entries]))
  }
  const because = action.waitS > 0 ? text.wait(action.waitS) : trials.length === 0 ? text.empty : undefined
  return (
    // Trying changes nothing, so it also works where fields are read-only.
    <StillProvider value={false}>
      <div className="pn-stack pn-gap-3 pn-prose">
        {shown.map(({ id, name }) => {
          const last = tried.get(id)
          return (
            <div key={id} className="pn-grid pn-gap-1">
              <TextInput
                mono
                label={shown.length === 1 ? text.flag : <bdi>{name}</bdi>}
                maxLength={MAX_FLAG_LENGTH}
                autoComplete="off"
                value={typed[id] ?? ''}
                onChange={(flag) => setTyped({ ...typed, [id]: flag })}
                onKeyDown={(event) => {
                  if (event.key !== 'Enter') return
                  // The field may be part of a form, which Enter would save.
                  event.preventDefault()
                  void run()
                }}
              />
              {/* The result of another text says nothing about this one. */}
              <Result outcome={last && last.flag === typed[id] ? last.outcome : null} />
            </div>
          )
        })}
        <div>
          <Button busy={action.isPending} disabledBecause={because} onClick={() => void run()}>
            {shown.length === 1 ? text.tryOne : text.tryAll}
          </Button>
        </div>
        <FailureLine>{action.failure}</FailureLine>
      </div>
    </StillProvider>
  )
}

function Result({ outcome }: { readonly outcome: Outcome | null }) {
  const text = useMessages(organiserListMessages).tryFlags
  return (
    <p role="status" className={outcome === 'accepted' ? styles.accepted : styles.refused}>
      {outcome && (
        <>
          <Icon name={outcome === 'accepted' ? 'check' : 'alert'} /> {text.outcomes[outcome]}
        </>
      )}
    </p>
  )
}
