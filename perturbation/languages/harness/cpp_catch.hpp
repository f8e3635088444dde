// Follows the main of a Catch2 (version 2) test: tells each test case of it as one of ours.
#include <string>

namespace axiom {
void start_case(const char* key);
void end_case(const char* key, const char* outcome, const char* message);
}  // namespace axiom

namespace {

class AxiomListener : public Catch::TestEventListenerBase {
public:
    using TestEventListenerBase::TestEventListenerBase;

    void testCaseStarting(const Catch::TestCaseInfo& info) override
    {
        TestEventListenerBase::testCaseStarting(info);
        message.clear();
        axiom::start_case(info.name.c_str());
    }

    bool assertionEnded(const Catch::AssertionStats& stats) override
    {
        const auto& result = stats.assertionResult;
        if (!result.isOk() && message.empty()) {
            message = result.hasExpression() ? result.getExpressionInMacro() : std::string("fails");
            if (result.hasExpandedExpression()) message += ": " + result.getExpandedExpression();
            if (result.hasMessage()) message += ": " + std::string(result.getMessage());
            has_thrown = result.getResultType() == Catch::ResultWas::ThrewException
                || result.getResultType() == Catch::ResultWas::FatalErrorCondition;
        }
        return true;
    }

    void testCaseEnded(const Catch::TestCaseStats& stats) override
    {
        const char* outcome = stats.totals.assertions.allOk() ? "passed" : has_thrown ? "error" : "failed";
        axiom::end_case(stats.testInfo.name.c_str(), outcome, message.c_str());
        has_thrown = false;
        TestEventListenerBase::testCaseEnded(stats);
    }

private:
    std::string message;
    bool has_thrown = false;
};

CATCH_REGISTER_LISTENER(AxiomListener)

}  // namespace
