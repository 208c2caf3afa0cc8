import { useState } from 'react'
import { livePartsMessages } from '../text/en/live-parts.ts'
import { useMessages } from '../text/messages.ts'
import { IconButton } from '../ui/buttons/button.tsx'
import { CopyButton } from '../ui/buttons/copy-button.tsx'
import { useSuccess } from '../ui/buttons/use-success.ts'
import { copyText } from '../ui/copy-text.ts'
import { Menu } from '../ui/layers/floats.tsx'
import { commandOf, isLink, otherForms, type Place } from './endpoints.ts'
import styles from './live.module.css'

/** The address of one part of an instance: a link, or a command with its alternative forms. */
export function EndpointRow({ place }: { readonly place: Place }) {
  const text = useMessages(livePartsMessages)
  const copied = useSuccess(text.copied)
  const [failure, setFailure] = useState<string>()
  const command = commandOf(place)
  const copy = (form: string) => {
    setFailure(undefined)
    void copyText(form).then(copied.show, () => setFailure(text.notCopied(form)))
  }
  const forms = otherForms(place).map(({ name, form }) => ({
    label: text.copyForm[name],
    icon: 'copy' as const,
    onSelect: () => copy(form),
  }))
  return (
    <li className="pn-grid pn-gap-1" data-connection={place.port > 0 ? '' : undefined}>
      {place.title !== undefined && <span className="pn-fine pn-muted">{place.title}</span>}
      {place.port === 0 && <span>{text.unavailable}</span>}
      {place.port > 0 && (
        <div className={styles.address}>
          {isLink(place) ? (
            <a dir="ltr" href={command} target="_blank" rel="noopener noreferrer">
              {command}
            </a>
          ) : (
            <code dir="ltr">{command}</code>
          )}
          <span className={styles.actions}>
            <CopyButton tone="quiet" data-connection="" text={() => command}>
              {text.copy}
            </CopyButton>
            {forms.length > 0 && (
              <Menu
                target={<IconButton icon="more" label={text.otherFormats} success={copied} />}
                items={forms}
              />
            )}
          </span>
        </div>
      )}
      {failure !== undefined && <p role="alert">{failure}</p>}
    </li>
  )
}
