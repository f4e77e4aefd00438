/** Keeps requests out that could do nothing but wait. */
export interface Admission {
  /** Takes a request in. False when it is to be refused before anything is done for it; then it need not leave. */
  enter(): boolean;
  leave(): void;
}

export interface AdmissionOptions {
  /** How many requests of operations may be in flight. */
  maxInFlight: number;
  /** Is something away that every operation needs? */
  isUnavailable(): boolean;
}

export const makeAdmission = ({ maxInFlight, isUnavailable }: AdmissionOptions): Admission => {
  let inFlight = 0;
  return {
    enter: () => {
      if (inFlight >= maxInFlight || isUnavailable()) return false;
      inFlight += 1;
      return true;
    },
    leave: () => {
      inFlight -= 1;
    },
  };
};
