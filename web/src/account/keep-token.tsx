import { useState } from 'react'
import { useConfig } from '../api/use-contest.ts'
import { accountMessages } from '../text/en/account.ts'
import { useMessages } from '../text/messages.ts'
import { Button } from '../ui/buttons/button.tsx'
import { Secret } from '../ui/buttons/secret.tsx'
import { Switch } from '../ui/fields/choices.tsx'
import { saveFile } from '../ui/save-file.ts'
import { AccountPage } from './account-page.tsx'
import styles from './account.module.css'
import { Invitation } from './invitation.tsx'

interface KeepTokenProps {
  readonly token: string
  /** What else the team has just become. */
  readonly note?: string | undefined
  readonly onDone: () => void
}

/** Shown once, after registration: the team confirms that it has stored its token before it continues. */
export function KeepToken({ token, note, onDone }: KeepTokenProps) {
  const text = useMessages(accountMessages)
  const event = useConfig()?.ctfName ?? ''
  const [stored, setStored] = useState(false)
  const save = () => {
    saveFile({ name: 'team-token.txt', content: `${event}\n${token}\n`, type: 'text/plain' })
  }
  return (
    <AccountPage title={text.saveTokenTitle} isNext>
      {note !== undefined && <p role="status">{note}</p>}
      <p>{text.saveTokenText}</p>
      <Secret label={text.token} value={token} />
      <Button icon="download" onClick={save}>
        {text.download}
      </Button>
      <Invitation token={token} level={2} />
      <Switch kind="checkbox" label={text.savedCheckbox} checked={stored} onChange={setStored} />
      <div className={styles.actions}>
        <Button tone="primary" disabledBecause={stored ? undefined : text.saveFirst} onClick={onDone}>
          {text.proceed}
        </Button>
      </div>
    </AccountPage>
  )
}
