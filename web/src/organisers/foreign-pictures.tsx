import { organiserListMessages } from '../text/en/organiser-list.ts'
import { useMessages } from '../text/messages.ts'
import { Switch } from '../ui/fields/choices.tsx'

interface ForeignPicturesProps {
  readonly count: number
  /** Where they are: hosts, and how many each has. */
  readonly lines: readonly string[]
  readonly checked: boolean
  readonly onChange: (checked: boolean) => void
}

/** Names the pictures of other sites in texts to be imported, and offers to store them. */
export function ForeignPictures({ count, lines, ...choice }: ForeignPicturesProps) {
  const text = useMessages(organiserListMessages)
  return (
    <section aria-label={text.foreignPictures(count)}>
      <p>
        <b>{text.foreignPictures(count)}</b>. {text.foreignPicturesAbout}
      </p>
      <ul>
        {lines.map((line) => (
          <li key={line}>
            <bdi>{line}</bdi>
          </li>
        ))}
      </ul>
      <StorePictures {...choice} />
    </section>
  )
}

/** The choice alone, where the pictures are named already. */
export function StorePictures(choice: Pick<ForeignPicturesProps, 'checked' | 'onChange'>) {
  const text = useMessages(organiserListMessages)
  return <Switch kind="checkbox" label={text.storeForeignPictures} {...choice} />
}

interface LeftPicturesProps {
  readonly left: readonly { readonly address: string; readonly reason: string }[]
}

/** The pictures that an import could not store. */
export function LeftPictures({ left }: LeftPicturesProps) {
  const text = useMessages(organiserListMessages)
  const reasons: Readonly<Record<string, string>> = text.pictureFailures
  return (
    <>
      <p role="alert">{text.picturesLeft}</p>
      <ul>
        {left.map(({ address, reason }) => (
          <li key={address}>
            <bdi>{address}</bdi>: {reasons[reason]}
          </li>
        ))}
      </ul>
    </>
  )
}
