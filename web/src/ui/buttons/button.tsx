import type { ComponentPropsWithRef, MouseEvent, ReactNode } from 'react'
import { cx } from '../cx.ts'
import { Icon, type IconName } from '../icon.tsx'
import { useWords } from '../words.ts'
import styles from './buttons.module.css'

interface ButtonLook {
  readonly tone?: 'plain' | 'primary' | 'danger' | 'quiet'
  /** The work that it began is not done: it keeps its width and takes no second press. */
  readonly busy?: boolean
  /** Why it cannot be pressed now. It stays focusable, so that this can be read. */
  readonly disabledBecause?: string | undefined
}

export interface ButtonProps extends ButtonLook, Omit<ComponentPropsWithRef<'button'>, 'disabled'> {
  readonly icon?: IconName
}

/** Of type `button` unless told to submit. */
export function Button({ tone = 'plain', busy = false, disabledBecause, icon, ...props }: ButtonProps) {
  const words = useWords()
  const { children, className, onClick, type = 'button', ...rest } = props
  const still = busy || disabledBecause !== undefined
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    if (still) return event.preventDefault()
    onClick?.(event)
  }
  return (
    <button
      {...rest}
      type={type}
      className={cx(styles.button, styles[tone], busy && styles.busy, className)}
      aria-disabled={still || undefined}
      aria-busy={busy || undefined}
      title={disabledBecause ?? rest.title}
      onClick={press}
    >
      <span className={styles.face}>
        {icon && <Icon name={icon} />}
        {children}
      </span>
      {busy && (
        <span className={styles.work} role="img" aria-label={words.loading}>
          <span aria-hidden="true">•••</span>
        </span>
      )}
    </button>
  )
}

interface IconButtonProps extends Omit<ButtonProps, 'icon' | 'children'> {
  readonly icon: IconName
  /** Its name, shown on hover. */
  readonly label: string
  readonly children?: ReactNode
}

/** A button that shows a drawing alone. */
export function IconButton({ icon, label, className, tone = 'quiet', ...props }: IconButtonProps) {
  return (
    <Button
      {...props}
      tone={tone}
      icon={icon}
      aria-label={label}
      title={label}
      className={cx(styles.icon, className)}
    />
  )
}
