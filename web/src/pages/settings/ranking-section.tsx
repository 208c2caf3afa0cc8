import { removeExtrank } from '@pennant/contract/extrank.ts'
import { RankingButton } from '../../account/ranking-button.tsx'
import { send } from '../../api/client.ts'
import { settingsMessages } from '../../text/en/settings.ts'
import { useMessages } from '../../text/messages.ts'
import { announce } from '../../ui/announcer.tsx'
import { ConfirmButton } from '../../ui/layers/confirm.tsx'
import { Panel } from '../../ui/states/panel.tsx'
import { Outcome } from './outcome.tsx'
import styles from './settings.module.css'
import { useChange } from './use-change.ts'

interface RankingSectionProps {
  readonly team: { readonly email: string | null; readonly extrankId: string | null }
}

/** The link to the ranking site. It can only be removed while the team has an email address. */
export function RankingSection({ team }: RankingSectionProps) {
  const text = useMessages(settingsMessages)
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
              busy={change.isPending}
              disabledBecause={team.email === null ? text.linkNeeded : undefined}
              onConfirm={() =>
                void change.run(
                  () => send(removeExtrank, {}),
                  () => announce(text.unlinked),
                )
              }
            >
              {text.unlink}
            </ConfirmButton>
          )}
        </div>
      </div>
    </Panel>
  )
}
