import { removeExtrank } from '@pennant/contract/extrank.ts'
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

/** The team's link to the ranking site, which it can end while an address is left to sign in with. */
export function RankingSection({ team }: RankingSectionProps) {
  const text = useText(words)
  const change = useChange()
  return (
    <Panel title={text.rankingSite}>
      <div className={styles.form}>
        <p>{text.linkedTo(team.extrankId ?? '')}</p>
        <Outcome change={change} />
        <div className={styles.actions}>
          <ConfirmButton
            busy={change.isBusy}
            disabledBecause={team.email === null ? text.linkNeeded : undefined}
            onConfirm={() => void change.run(() => send(removeExtrank, {}), text.unlinked)}
          >
            {text.unlink}
          </ConfirmButton>
        </div>
      </div>
    </Panel>
  )
}
