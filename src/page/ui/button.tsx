import type { ReactNode } from 'react';
import { Icon } from './icon.tsx';
import type { IconName } from './icon.tsx';

interface ButtonProps {
  /** What it does, in words; shown, or spoken and shown on hover when there is only an icon. */
  readonly label: string;
  readonly icon?: IconName;
  readonly kind?: 'plain' | 'primary' | 'quiet' | 'text';
  /** Show the icon alone. */
  readonly iconOnly?: boolean;
  /** Keys that do the same, for the hover text, for example `Space`. */
  readonly keys?: string;
  /** For a button that stays down. */
  readonly pressed?: boolean;
  readonly disabled?: boolean;
  readonly className?: string;
  readonly onPress: () => void;
  readonly children?: ReactNode;
}

export function Button(props: ButtonProps) {
  const {
    label,
    icon,
    kind = 'plain',
    iconOnly = false,
    keys,
    pressed,
    disabled,
    className,
    onPress,
  } = props;
  const classes = [
    'button',
    kind === 'plain' ? '' : `button-${kind}`,
    iconOnly ? 'button-icon' : '',
    className ?? '',
  ];
  const hover = keys ? `${label} (${keys})` : iconOnly ? label : undefined;
  return (
    <button
      type="button"
      className={classes.filter(Boolean).join(' ')}
      aria-label={iconOnly ? label : undefined}
      aria-pressed={pressed}
      title={hover}
      disabled={disabled}
      onClick={onPress}
    >
      {icon && <Icon name={icon} />}
      {!iconOnly && <span>{label}</span>}
      {props.children}
    </button>
  );
}
