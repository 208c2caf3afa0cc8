import { removeExtrank } from '@pennant/contract/extrank.ts'
import { RankingButton } from '../../account/ranking-button.tsx'
import { send } from '../../api/client.ts'
import { useText } from '../../text/catalogue.ts'
import { ConfirmButton } from '../../ui/layers/confirm.tsx'
import { Panel } from '../../ui/states/panel.tsx'
import { Outcome } from './outcome.tsx'
import styles from './settings.module.css'
import { useChange } from './use-change.ts'
import { words } from './words.ts'

interface RankingSectionProps {
  readonly team: { readonly email: string | null; readonly extrankId: string | null }
}

/** The team's link to the ranking site: made there, ended here while an address is left to sign in with. */
export function RankingSection({ team }: RankingSectionProps) {
  const text = useText(words)
  const change = useChange()
  return (
    <Panel title={text.rankingSite}>
      <div className={styles.form}>
        <p>{team.extrankId === null ? text.notLinked : text.linkedTo(team.extrankId)}</p>
        <Outcome change={change} />
        <div className={styles.actions}>
          <RankingButton purpose={{ kind: 'link' }}>
            {team.extrankId === null ? text.link : text.linkAnother}
          </RankingButton>
          {team.extrankId !== null && (
            <ConfirmButton
              busy={change.isBusy}
              disabledBecause={team.email === null ? text.linkNeeded : undefined}
              onConfirm={() => void change.run(() => send(removeExtrank, {}), text.unlinked)}
            >
              {text.unlink}
            </ConfirmButton>
          )}
        </div>
      </div>
    </Panel>
  )
}
