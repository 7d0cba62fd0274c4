import { Button } from '../ui/button.tsx';
import { lightOf, TRUST_WORDS } from '../words/trust.ts';
import { TrustDot } from './trust-dot.tsx';
import { TrustSheet } from './trust-sheet.tsx';
import { useApp, useFrom } from './use-app.ts';

/** Whether this device's numbers can be trusted, as a shape and a word; opens the numbers. */
export function TrustLight() {
  const app = useApp();
  const light = useFrom(app.trust.store, lightOf);
  return (
    <>
      <Button
        kind="quiet"
        className="trust"
        iconOnly
        label={TRUST_WORDS.spoken(light)}
        onPress={() => app.view.setState({ sheet: 'trust' })}
      >
        <TrustDot light={light} />
        <span className="trust-word">{TRUST_WORDS.shown(light)}</span>
      </Button>
      <TrustSheet />
    </>
  );
}
