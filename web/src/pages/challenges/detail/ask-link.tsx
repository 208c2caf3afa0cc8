import { Link } from 'react-router'
import { useMessageThreads } from '../../../api/messages.ts'
import { paths } from '../../../paths.ts'
import { challengesMessages } from '../../../text/en/challenges.ts'
import { useMessages } from '../../../text/messages.ts'
import styles from '../challenges.module.css'

/** Leads to a question about the challenge, while teams may ask. Until that is known, its room stays empty. */
export function AskLink({ id }: { readonly id: string }) {
  const text = useMessages(challengesMessages)
  const { data, isLoading } = useMessageThreads()
  if (isLoading) return <span className={styles.expected}>{text.askAbout}</span>
  return data?.state === 'open' && <Link to={paths.askAbout(id)}>{text.askAbout}</Link>
}
