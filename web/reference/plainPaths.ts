import type { SummaryPathProps, SwaggerPlugin, SwaggerSystem } from './swaggerUi.ts';

/**
 * The path of an operation as text. Swagger UI makes it a link inside the button that opens the operation, and the one or
 * the other is lost to keyboards and screen readers. The address still names what was opened.
 */
export const plainPaths = ({ React }: SwaggerSystem): SwaggerPlugin => ({
  wrapComponents: {
    OperationSummaryPath: () => {
      const SummaryPath = ({ operationProps }: SummaryPathProps) => {
        const path = String(operationProps.get('path'));
        const className =
          operationProps.get('deprecated') === true
            ? 'opblock-summary-path__deprecated'
            : 'opblock-summary-path';
        return React.createElement('span', { className, 'data-path': path }, path);
      };
      return SummaryPath;
    },
  },
});
