import { useText } from '../text/catalogue.ts'
import { IconButton } from '../ui/buttons/button.tsx'
import { CopyButton } from '../ui/buttons/copy-button.tsx'
import { copyText } from '../ui/copy-text.ts'
import { Menu } from '../ui/layers/floats.tsx'
import { useToasts } from '../ui/layers/toasts.tsx'
import { commandOf, isLink, otherForms, type Place } from './endpoints.ts'
import styles from './live.module.css'
import { liveWords } from './live-words.ts'

/** Where one part of an instance is reached: a link, or a command with its other forms. */
export function EndpointRow({ place }: { readonly place: Place }) {
  const text = useText(liveWords)
  const toasts = useToasts()
  const command = commandOf(place)
  const copy = (form: string) =>
    void copyText(form).then(
      () => toasts.show(text.copied(form), 'ok'),
      () => toasts.show(text.notCopied(form), 'bad'),
    )
  const forms = otherForms(place).map(({ name, form }) => ({
    label: text.copyForm[name],
    icon: 'copy' as const,
    onSelect: () => copy(form),
  }))
  return (
    <li className={styles.place} data-connection={place.port > 0 ? '' : undefined}>
      {place.title !== undefined && <span className={styles.placeTitle}>{place.title}</span>}
      {place.port === 0 && <span>{text.unavailable}</span>}
      {isLink(place) && (
        <a dir="ltr" href={command} target="_blank" rel="noopener noreferrer">
          {command}
        </a>
      )}
      {place.port > 0 && !isLink(place) && <code dir="ltr">{command}</code>}
      {place.port > 0 && (
        <span className={styles.deeds}>
          <CopyButton data-connection="" text={() => command}>
            {text.copy}
          </CopyButton>
          {forms.length > 0 && (
            <Menu target={<IconButton icon="more" label={text.otherForms} />} items={forms} />
          )}
        </span>
      )}
    </li>
  )
}
