package axiom;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.opentest4j.AssertionFailedError;
import org.opentest4j.ValueWrapper;

/** Runs test classes by JUnit's platform, disabled tests as well, and reports each test as a case. */
final class JUnit implements TestExecutionListener {
    private final Map<String, Long> began = new HashMap<>();
    private TestPlan plan;

    private JUnit() {}

    static void run(List<String> classes, ClassLoader programs) {
        try {
            LauncherDiscoveryRequestBuilder request = LauncherDiscoveryRequestBuilder.request();
            for (String name : classes) {
                request.selectors(DiscoverySelectors.selectClass(programs.loadClass(name)));
            }
            request.configurationParameter("junit.jupiter.conditions.deactivate", "org.junit.*DisabledCondition");
            LauncherDiscoveryRequest built = request.build();
            LauncherFactory.create().execute(built, new JUnit());
        } catch (Throwable error) {
            Cases.record("case", "tests", "error", null, null, Cases.described(error), 0.0);
        }
    }

    @Override
    public void testPlanExecutionStarted(TestPlan plan) {
        this.plan = plan;
        for (TestIdentifier root : plan.getRoots()) {
            for (TestIdentifier one : plan.getDescendants(root)) {
                if (one.isTest()) {
                    Cases.record("plan", name(one));
                }
            }
        }
    }

    @Override
    public void executionStarted(TestIdentifier one) {
        if (one.isTest()) {
            began.put(one.getUniqueId(), System.nanoTime());
            Cases.record("start", name(one));
        }
    }

    @Override
    public void executionSkipped(TestIdentifier one, String reason) {
        if (one.isTest()) {
            Cases.record("case", name(one), "not_run", null, null, "skipped: " + Cases.shown(reason), 0.0);
        }
    }

    @Override
    public void executionFinished(TestIdentifier one, TestExecutionResult result) {
        Throwable error = result.getThrowable().orElse(null);
        double seconds = (System.nanoTime() - began.getOrDefault(one.getUniqueId(), System.nanoTime())) / 1e9;
        if (result.getStatus() == TestExecutionResult.Status.SUCCESSFUL) {
            if (one.isTest()) {
                Cases.record("case", name(one), "passed", null, null, "", seconds);
            }
        } else if (result.getStatus() == TestExecutionResult.Status.ABORTED) {
            Cases.record("case", name(one), "not_run", null, null, "skipped: " + words(error), seconds);
        } else {
            String outcome = error instanceof AssertionError ? "failed" : "error";
            Cases.record("case", name(one), outcome, value(error, true), value(error, false), words(error), seconds);
        }
    }

    private static String words(Throwable error) {
        return error == null ? "" : Cases.described(error);
    }

    private static String value(Throwable error, boolean expected) {
        if (!(error instanceof AssertionFailedError)) {
            return null;
        }
        AssertionFailedError failed = (AssertionFailedError) error;
        ValueWrapper value = expected ? failed.getExpected() : failed.getActual();
        return value == null ? null : Cases.shown(value.getStringRepresentation());
    }

    private String name(TestIdentifier one) {
        MethodSource method = one.getSource().filter(MethodSource.class::isInstance).map(MethodSource.class::cast).orElse(null);
        if (method == null) {
            return one.getDisplayName();
        }
        String name = method.getClassName().replaceAll(".*[.$]", "") + "." + method.getMethodName();
        // The invocations of a parameterised or repeated test share the method.
        boolean isOneOfMany = plan != null && plan.getParent(one)
            .filter(parent -> parent.getSource().filter(MethodSource.class::isInstance).isPresent()).isPresent();
        return isOneOfMany ? name + " " + one.getDisplayName() : name;
    }
}
